"""Mutation: whether the tests would notice if an added line were wrong."""
