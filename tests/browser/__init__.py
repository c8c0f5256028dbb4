"""Whole games in a real Chromium: by mouse, by touch, by keys, and by plain forms."""
