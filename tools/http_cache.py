#!/usr/bin/python3
"""A build cache for a small team: Bazel's plain HTTP cache (GET and PUT).

Usage: http_cache.py FOLDER [--port N] [--bind ADDRESS]

  tools/http_cache.py /var/cache/berth --port 8080 &
  bazel build --remote_cache=http://localhost:8080 //tools:berth

Every PUT is kept under its own hash, so that entries never change; to make room,
delete the oldest files. There is no authentication: bind it to an address
that only the team can reach, or put it behind a proxy that asks.
"""

import argparse
import http.server
import os
import re
import shutil
import tempfile

NAME = re.compile(r"^/(ac|cas)/[0-9a-f]{64}$")


class Cache(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folder = None

    def path_of(self):
        if not NAME.match(self.path):
            self.answer(400)
            return None
        return os.path.join(self.folder, self.path[1:])

    def answer(self, code, size=0):
        self.send_response(code)
        self.send_header("Content-Length", str(size))
        self.end_headers()

    def do_GET(self):
        self.send_file(body=True)

    def do_HEAD(self):
        self.send_file(body=False)

    def send_file(self, body):
        path = self.path_of()
        if path is None:
            return
        try:
            entry = open(path, "rb")
        except FileNotFoundError:
            self.answer(404)
            return
        with entry:
            self.answer(200, os.fstat(entry.fileno()).st_size)
            if body:
                shutil.copyfileobj(entry, self.wfile)

    def do_PUT(self):
        path = self.path_of()
        if path is None:
            self.close_connection = True
            return
        left = int(self.headers.get("Content-Length", 0))
        # A reader sees a whole entry or none, also when we are killed.
        with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as part:
            while left > 0:
                data = self.rfile.read(min(left, 1 << 20))
                if not data:
                    break
                part.write(data)
                left -= len(data)
        if left > 0:
            os.unlink(part.name)
            self.close_connection = True
            return
        os.replace(part.name, path)
        self.answer(200)

    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--bind", default="127.0.0.1")
    arguments = parser.parse_args()
    for kind in ("ac", "cas"):
        os.makedirs(os.path.join(arguments.folder, kind), exist_ok=True)
    Cache.folder = arguments.folder
    server = http.server.ThreadingHTTPServer((arguments.bind, arguments.port), Cache)
    print("http://%s:%d" % server.server_address[:2], flush=True)
    server.serve_forever()


main()
