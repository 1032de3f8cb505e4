"""What do we make of it? Pure functions from outcomes to facts, verdicts and risk."""
