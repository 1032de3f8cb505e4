"""What we find in one text by ourselves, and how it is mended."""
