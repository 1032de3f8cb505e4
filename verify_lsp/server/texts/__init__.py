"""The texts a client has open, how they change, and what their addresses mean."""
