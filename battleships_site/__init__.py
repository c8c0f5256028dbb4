"""The Django project: settings, addresses and serving."""

__version__ = "0.1.0"
