"""Today's sea: a search alone that is the same for everybody on the site, and the page of a day."""
