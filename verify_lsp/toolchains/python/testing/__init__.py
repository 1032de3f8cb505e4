"""How the project is tested, and what a run of its tests showed."""
