"""The deduction game: ships of one cell hide, and guesses learn how near they came."""
