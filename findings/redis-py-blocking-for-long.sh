#!/bin/sh
# BLPOP waits for an element as many seconds as it is told, here six. From version 8 on redis-py's sockets time out after
# five seconds unless a connection is told otherwise, so it raises TimeoutError before the server answers. In version 7
# the same call returns None. By default it is tried again several times, and so fails after a minute.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > wait.py <<'END'
import re
import socket
import threading

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry


def answer(peer):
    while asked := peer.recv(65536).upper():
        if b"BLPOP" in asked:
            threading.Event().wait(6)
            peer.sendall(b"*-1\r\n")
        else:
            peer.sendall(b"+OK\r\n" * len(re.findall(rb"\*\d", asked)))


def serve(listener):
    while True:
        threading.Thread(target=answer, args=listener.accept()[:1], daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=serve, args=(listener,), daemon=True).start()
client = redis.Redis(port=listener.getsockname()[1], protocol=2, retry=Retry(NoBackoff(), 0))
try:
    said = repr(client.blpop("sea", timeout=6))
except redis.TimeoutError as error:
    said = type(error).__name__
print("redis", redis.__version__, said)
assert said == ("TimeoutError" if redis.__version__ >= "8" else "None")
END
for version in 7.4.0 8.1.0; do
  python3 -m venv "$folder/$version"
  "$folder/$version/bin/pip" install --quiet --disable-pip-version-check "redis==$version"
  "$folder/$version/bin/python" wait.py
done
