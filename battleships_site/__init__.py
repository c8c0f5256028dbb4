"""The Django project: settings, addresses and serving."""
