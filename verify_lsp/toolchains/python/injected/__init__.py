"""Modules that run inside the project's own interpreter (Python 3.8 or newer); nothing here imports them."""
