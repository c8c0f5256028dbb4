"""One command to a module, under the module's name."""
