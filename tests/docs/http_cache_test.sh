#!/bin/bash
# The build cache keeps what it is given, whole, and nothing else.
# Usage: http_cache_test.sh HTTP_CACHE
set -u
work=$(mktemp -d)
python3 "$1" "$work/cache" --port 0 >"$work/url" &
server=$!
trap 'kill $server; rm -rf "$work"' EXIT
until [[ -s $work/url ]]; do sleep 0.05; done
python3 - "$(cat "$work/url")" "$work/cache" <<'PYTHON'
import os, socket, sys, urllib.error, urllib.request
url, folder = sys.argv[1:]
key = "/cas/" + "a1" * 32
data = bytes(range(256)) * 5000

def ask(method, path, body=None):
    request = urllib.request.Request(url + path, data=body, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, b""

assert ask("GET", key)[0] == 404
assert ask("PUT", key, data)[0] == 200
assert ask("GET", key) == (200, data)
assert ask("HEAD", key) == (200, b"")
assert ask("PUT", "/ac/" + "0" * 64, b"")[0] == 200
assert ask("GET", "/ac/" + "0" * 64) == (200, b"")
for path in ("/cas/../../etc/passwd", "/cas/xyz", "/" + "a1" * 32, "/"):
    assert ask("GET", path)[0] == 400, path
    assert ask("PUT", path, b"x")[0] == 400, path
# A client that goes away in the middle leaves nothing behind.
host, port = url[len("http://"):].split(":")
half = "/cas/" + "b2" * 32
with socket.create_connection((host, int(port))) as client:
    client.sendall(b"PUT %s HTTP/1.1\r\nContent-Length: 100\r\n\r\nonly this" % half.encode())
while [f for f in os.listdir(folder) if f not in ("ac", "cas")]:
    pass
assert ask("GET", half)[0] == 404
print("all as expected")
PYTHON
