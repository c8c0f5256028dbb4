"""HTTP of the whole site: middleware, forms, JSON, responses and cookies."""
