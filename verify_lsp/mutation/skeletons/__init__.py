"""Tests that fail until somebody writes what they must tell apart, in the way of each language."""
