"""Commands for whoever runs or measures the game: `python manage.py NAME`."""
