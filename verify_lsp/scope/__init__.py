"""Which change is verified: a request becomes files with before and after."""
