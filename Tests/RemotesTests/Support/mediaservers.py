#!/usr/bin/env python3
"""Web calendars and media servers for tests: mediaservers.py SAMPLES

Prints its port, then one line a request: the method, the target and the headers that matter.
The first folder of a path says how the server behaves; see `routes`.
"""
import gzip
import http.server
import os
import sys

SAMPLES = sys.argv[1]
KEY = "the-key"
counts = {}


def event(uid, start, summary, stamp="20261101T000000Z"):
    return (f"BEGIN:VEVENT\r\nUID:{uid}\r\nDTSTAMP:{stamp}\r\nDTSTART:{start}\r\n"
            f"SUMMARY:{summary}\r\nEND:VEVENT\r\n")


def calendar(*events):
    head = ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//X//X//EN\r\nX-WR-CALNAME:Matches\r\n"
            "X-APPLE-CALENDAR-COLOR:#336699\r\nREFRESH-INTERVAL;VALUE=DURATION:PT6H\r\n")
    return (head + "".join(events) + "END:VCALENDAR\r\n").encode()


def matches(prefix="", stamp="20261101T000000Z"):
    return calendar(*(event(f"{prefix}match-{day}", f"202611{day}T180000Z", f"Match {day}", stamp)
                      for day in (20, 21, 22)))


PAGE = b"<!DOCTYPE html><html><body>Sign in</body></html>"


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, body=b"", kind="text/calendar; charset=utf-8", claims=None, **headers):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body) if claims is None else claims))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)
        if claims is not None:
            self.close_connection = True

    def do_GET(self):
        names = {"X-Api-Key": "key", "Authorization": "auth", "If-None-Match": "unless",
                 "If-Modified-Since": "since"}
        said = [f"{word}={self.headers[name]}" for name, word in names.items() if self.headers[name]]
        print("GET", self.path, *said, flush=True)
        folder = self.path.split("?")[0].split("/")[1]
        counts[folder] = counts.get(folder, 0) + 1
        routes = {
            "tagged": self.tagged, "dated": self.dated, "moved": self.moved,
            "plain": lambda: self.reply(200, matches(stamp=f"20261101T0000{counts[folder] % 60:02}Z")),
            "unstable": lambda: self.reply(200, matches(f"{counts[folder]}-")),
            "page": lambda: self.reply(200, PAGE, "text/html"),
            "locked": lambda: self.reply(302, Location="/page/login"),
            "words": lambda: self.reply(200, b"No calendar today.\n", "text/plain"),
            "short": lambda: self.reply(200, matches()[:200], claims=len(matches())),
            "cut": lambda: self.reply(200, matches()[:300]),
            "huge": lambda: self.reply(
                200, gzip.compress(b"x" * (51 << 20), 1), Content_Encoding="gzip"),
            "refusing": lambda: self.reply(401),
            "missing": lambda: self.reply(404),
            "broken": lambda: self.reply(
                500, b'{"message": "It broke", "description": "at Some.Stack.Trace"}',
                "application/json"),
            "starting": lambda: self.reply(
                503, b'{"errorMessage": "Radarr is starting up"}', "application/json",
                Retry_After="20"),
            "elsewhere": lambda: self.reply(
                307, Location=f"http://localhost:{self.server.server_port}"
                              f"{self.path.replace('/elsewhere', '/radarr', 1)}"),
            "mislabelled": lambda: self.reply(200, b"[]", "text/html"),
            "object": lambda: self.reply(200, b'{"records": []}', "application/json"),
            "garbage": lambda: self.reply(200, b"[{", "application/json"),
            "nameless": lambda: self.reply(
                200, b'[{"title": "No id"}, {"id": 1, "title": "X", "digitalRelease":'
                     b' "2026-11-20T00:00:00Z"}]', "application/json"),
            "radarr": self.media, "sonarr": self.media, "lidarr": self.media,
            # A server with a URL base that was left out of the address.
            "api": lambda: self.reply(307, Location="/radarr" + self.path),
        }
        routes.get(folder, lambda: self.reply(404))()

    def tagged(self):
        if self.headers["If-None-Match"] == '"1"':
            return self.reply(304, ETag='"1"')
        body = matches()
        if "gzip" in self.headers.get("Accept-Encoding", ""):
            return self.reply(200, gzip.compress(body), ETag='"1"', Content_Encoding="gzip")
        self.reply(200, body, ETag='"1"')

    def dated(self):
        date = "Fri, 20 Nov 2026 10:00:00 GMT"
        if self.headers["If-Modified-Since"] == date:
            return self.reply(304)
        self.reply(200, matches(), Last_Modified=date)

    def moved(self):
        self.reply(301, Location="/tagged/feed.ics")

    def media(self):
        _, service, *rest = self.path.split("?")[0].split("/")
        if self.headers["X-Api-Key"] != KEY:
            return self.reply(401, b"", "text/plain")
        if rest[-2:] == ["system", "status"]:
            body = f'{{"appName": "{service.capitalize()}", "version": "6.1.0.0"}}'.encode()
        elif rest[-1] == "calendar":
            with open(os.path.join(SAMPLES, f"{service}-calendar.json"), "rb") as file:
                body = file.read()
        else:
            return self.reply(404, b'{"message": "NotFound"}', "application/json")
        self.reply(200, body, "application/json; charset=utf-8")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
print(server.server_port, flush=True)
server.serve_forever()
