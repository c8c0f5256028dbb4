"""The commands: one in each module, under the module's name."""
