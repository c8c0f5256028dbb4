"""Takes from Python what it hasn't on Windows, in each process whose PYTHONPATH has this folder."""

import os
import select
import signal
import socket
import subprocess  # noqa: F401 (its Linux variant is loaded before)
import sys

_MODULES = "curses fcntl grp pwd readline resource syslog termios tty"
_NAMES = """O_CLOEXEC O_DIRECTORY O_NOFOLLOW chown fchmod fork forkpty getegid geteuid getgid
    getloadavg getpgid getuid killpg mkfifo nice openpty register_at_fork sched_getaffinity setsid
    sysconf epoll poll AF_UNIX SO_REUSEPORT SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE SIGQUIT SIGTSTP
    SIGUSR1 SIGUSR2 SIGWINCH alarm pause setitimer"""
sys.modules |= dict.fromkeys(_MODULES.split())  # type: ignore[arg-type]
for _module in os, select, signal, socket:
    for _name in _NAMES.split():
        vars(_module).pop(_name, None)
