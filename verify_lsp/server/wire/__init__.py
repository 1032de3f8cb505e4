"""Bytes and messages: channels to a client, JSON-RPC on top, and when to leave."""
