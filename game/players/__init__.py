"""Minds: computer players. They know an Observation and a source of chance, never a match."""
