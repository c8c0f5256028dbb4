"""Games on paper: a page to print, with empty sheets, or with dealt fleets for a class."""
