"""Program text: calls and bindings in syntax trees, what is passed to them, and where it comes from."""
