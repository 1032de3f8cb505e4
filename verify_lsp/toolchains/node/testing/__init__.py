"""Which tests a project has, how they are run, and how their results read."""
