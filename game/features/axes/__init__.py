"""Labels on the axes of a board: words or numbers, in place of its letters and numbers."""
