"""What the project is: its root, its configuration, its environment and interpreter."""
