"""The logbook: what a player's device remembers of the matches that were played on it."""
