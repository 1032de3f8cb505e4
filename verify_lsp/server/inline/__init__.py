"""The inline loop: each text that changed is looked at, at once where that is cheap."""
