"""What is shown: findings at their present places, and how each client wants to be told."""
