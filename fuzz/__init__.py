"""Fuzzing the readers: targets, seeds from the fixtures, and the script that runs a campaign."""
