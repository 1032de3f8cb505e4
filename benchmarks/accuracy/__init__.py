"""How often the security rules are right: a labelled corpus, and the commits of well-kept repositories."""
