"""Security rules: what an added line must not bring, as data, matched in linear time."""
