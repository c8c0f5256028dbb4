"""Rooms: a class searches one sea, each pupil at a device, and then looks at what all have done."""
