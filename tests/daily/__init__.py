"""Tests of today's sea and of the page of a day."""
