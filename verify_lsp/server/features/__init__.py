"""What each message does; `routes.py` lists them all."""
