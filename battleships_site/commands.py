"""The management commands, and a help that begins with the game."""

import re

from django.core.management import BaseCommand, ManagementUtility, get_commands

from battleships_site import __version__

_HELP = """\
Battleship {version}

To play:
  {name} serve                    serves the game to this machine, and prints its address
  {name} serve --lan              serves the local network as well, with a QR code
  {name} play                     plays in the terminal
  {name} deduction                plays the other game in the terminal

To check, and for programs:
  {name} verify FILE              checks a downloaded record: did the computer play fair?
  {name} match "ENGINE" "ENGINE"  lets two computer players play against each other
  {name} tournament ENGINE …      lets every pair of them play, and writes a table
  {name} check-engine "ENGINE"    says what is wrong with a program of yours
  {name} benchmark "ENGINE"       measures how strong it is
  {name} engine --player admiral  is a computer player that speaks the engine protocol

To host a site:
  {name} keys make                makes the secrets of a site; list, add, use, drop and daily
  {name} check --deploy           checks the settings of a site
  {name} deleteold                deletes old matches at two devices, as servers do daily
  {name} exercises                lists exercises of a class that were reported, and removes one
  {name} translations             compiles the translations of a clone

`{name} COMMAND --help` tells more of one, `{name} help --commands` lists all, with Django's own."""

_COMMAND = re.compile(r"  \{name\} ([\w-]+)")


class Commands(ManagementUtility):
    """Django's, with a help that begins with the game."""

    def main_help_text(self, commands_only: bool = False) -> str:
        if commands_only:
            return super().main_help_text(commands_only=True)
        # The command may be of a feature that is switched off.
        lines = [
            line
            for line in _HELP.splitlines()
            if not (found := _COMMAND.match(line)) or _module(found[1]) in get_commands()
        ]
        return "\n".join(lines).format(version=__version__, name=self.prog_name)

    def fetch_command(self, subcommand: str) -> BaseCommand:
        return super().fetch_command(_module(subcommand))


def _module(command: str) -> str:
    """Returns the name of a command's module, which can have no hyphen."""
    return command.replace("-", "_")
