"""The deduction game: find hidden ships of one cell by how near the guesses come."""
