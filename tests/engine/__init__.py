"""Tests of the engine, with its boards drawn as text and its rules told a second time."""
