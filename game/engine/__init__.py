"""The rules of the game in pure Python: no Django, no files, no clock, no global chance."""
