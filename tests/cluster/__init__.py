"""Several copies of the site behind a real HAProxy, with faults."""
