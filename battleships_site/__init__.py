"""The Django project: settings, addresses and serving."""

__version__ = "2.0.0"
"""The version of the wheel, of `battleships --version` and of the about page."""
