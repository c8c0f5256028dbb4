"""Whole games in a real Chromium against the real server: by mouse, touch, keys, and plain forms."""
