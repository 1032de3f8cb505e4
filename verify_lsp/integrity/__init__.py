"""Integrity: signs of a green that was not earned."""
