#!/usr/bin/env python3
"""A server that stands for Google's: signing in, tokens, the list of calendars, CalDAV. It prints its port.

PUT /control changes how it behaves, by a JSON object of the settings below. GET /control says what it was asked: lines
such as "POST /token refresh_token". POST /browse {"url": ..., "acts": [...]} does what a browser would with the page for
signing in, one act after the other, and is answered at once.

google.py --send URL METHOD BODY sends a request and prints the answer.
"""
import base64
import hashlib
import http.client
import http.server
import json
import re
import sys
import threading
import urllib.parse
import urllib.request

if sys.argv[1:2] == ["--send"]:
    request = urllib.request.Request(sys.argv[2], sys.argv[4].encode() or None, method=sys.argv[3])
    print(urllib.request.urlopen(request).read().decode())
    sys.exit()

CLIENT, SECRET = "client-1", "client-secret"
settings = {
    "expires": 3600,  # of an access token, in seconds
    "refresh": True,  # whether a sign-in gives a refresh token
    "rotate": False,  # whether each renewal gives a new one, and ends the former
    "token": None,  # [status, type, body]: the answer to all questions for tokens
    "list": None,  # likewise for the list of calendars
    "dav": None,  # likewise for CalDAV
    "given": "",  # an access token that is good, wherever it is from
    "lifetime": 0,  # after how many requests of CalDAV an access token ends; 0: never
}
log, codes, refresh_tokens, access_tokens, items = [], {}, set(), {}, {}
# Every change of the calendar, in order: the name of an item.
changes = []
counter = [0]


def new(kind):
    counter[0] += 1
    return f"{kind}-{counter[0]}"


class Google(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, body="", kind="application/json", **headers):
        body = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def handle_any(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        path = self.path.split("?")[0]
        if path == "/control":
            if self.command == "PUT":
                settings.update(json.loads(body))
                return self.reply(200, {})
            return self.reply(200, log)
        if path == "/browse":
            order = json.loads(body)
            threading.Thread(target=browse, args=[order["url"], order["acts"]], daemon=True).start()
            return self.reply(200, {})
        form = dict(urllib.parse.parse_qsl(body)) if path in ("/token", "/revoke") else {}
        word = form.get("grant_type") or self.headers.get("If-Match") or self.headers.get("If-None-Match") or ""
        log.append(f"{self.command} {urllib.parse.unquote(path)} {word}".replace('"', "").strip())
        if path == "/token":
            return self.token(form)
        if path == "/revoke":
            known = form["token"] in refresh_tokens
            refresh_tokens.discard(form["token"])
            return self.reply(200 if known else 400, {} if known else {"error": "invalid_token"})
        if path == "/":
            # What datebook-sync answers where the browser lands.
            return self.reply(200 if "code=" in self.path else 403)
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        isGiven = token != "" and token == settings["given"]
        if access_tokens.get(token, 0) <= 0 and not isGiven:
            return self.reply(401, {"error": {"code": 401, "status": "UNAUTHENTICATED"}})
        if path.startswith("/calendar/v3/"):
            return self.reply(*said(settings["list"])) if settings["list"] else self.calendars()
        if settings["lifetime"] and not isGiven:
            access_tokens[token] -= 1
        if settings["dav"]:
            return self.reply(*said(settings["dav"]))
        self.dav(urllib.parse.unquote(path), body)

    do_GET = do_POST = do_PUT = do_DELETE = do_PROPFIND = do_REPORT = handle_any

    def token(self, form):
        if settings["token"]:
            return self.reply(*said(settings["token"]))
        if (form.get("client_id"), form.get("client_secret")) != (CLIENT, SECRET):
            return self.reply(401, {"error": "invalid_client"})
        answer = {"token_type": "Bearer", "expires_in": settings["expires"]}
        if form["grant_type"] == "authorization_code":
            digest = hashlib.sha256(form["code_verifier"].encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
            if codes.pop(form["code"], None) != (challenge, form["redirect_uri"]):
                return self.reply(400, {"error": "invalid_grant"})
            if settings["refresh"]:
                answer["refresh_token"] = new("refresh")
        else:
            if form["refresh_token"] not in refresh_tokens:
                return self.reply(400, {"error": "invalid_grant"})
            if settings["rotate"]:
                refresh_tokens.discard(form["refresh_token"])
                answer["refresh_token"] = new("refresh")
        refresh_tokens.update([answer["refresh_token"]] if "refresh_token" in answer else [])
        answer["access_token"] = new("access")
        access_tokens[answer["access_token"]] = settings["lifetime"] or 1
        self.reply(200, answer)

    def calendars(self):
        if "pageToken" not in self.path:
            mine = {"id": "ana@example.org", "summary": "ana@example.org", "summaryOverride": "Ana",
                    "backgroundColor": "#9FE1E7", "accessRole": "owner"}
            busy = {"id": "room", "summary": "Room", "accessRole": "freeBusyReader"}
            return self.reply(200, {"items": [mine, busy], "nextPageToken": "more"})
        read = {"id": "en.holidays#it@group.v.calendar", "summary": "Holidays", "accessRole": "reader"}
        self.reply(200, {"items": [read]})

    def dav(self, path, body):
        home = "/caldav/v2/ana@example.org/events/"
        if not path.startswith(home):
            if self.command == "REPORT" and path.endswith("/events/"):
                return self.multistatus("<d:sync-token>none</d:sync-token>")
            return self.reply(404)
        name = path.removeprefix(home)
        etag = f'"{items[name][0]}"' if name in items else None
        if self.command in ("PUT", "DELETE"):
            if self.headers.get("If-None-Match"):
                return self.reply(400, "only If-Match is supported", "text/plain")
            if self.headers.get("If-Match") not in (None, etag):
                return self.reply(412)
            changes.append(name)
            if self.command == "DELETE":
                items.pop(name, None)
                return self.reply(204)
            items[name] = (len(changes), body)
            return self.reply(201 if etag is None else 204, ETag=f'"{len(changes)}"')
        if self.command == "GET":
            if etag is None:
                return self.reply(404)
            return self.reply(200, items[name][1], "text/calendar; charset=utf-8", ETag=etag)
        if self.command == "REPORT" and "sync-collection" in body:
            return self.delta(home, re.search(r"sync-token>([^<]*)<", body))
        if self.command == "REPORT":
            names = [urllib.parse.unquote(each).removeprefix(home) for each in re.findall(r"<d:href>([^<]*)", body)]
            return self.multistatus("".join(
                found(home + each, f'"{items[each][0]}"', f"<c:calendar-data><![CDATA[{items[each][1]}]]></c:calendar-data>")
                for each in names if each in items))
        self.reply(403, "use sync-collection", "text/plain")

    def delta(self, home, token):
        """Two changes at a time: the rest is announced with 507."""
        start = int(token[1]) if token and token[1] else 0
        part = changes[start:start + 2]
        end = start + len(part)
        answer = "".join(
            found(home + name, f'"{items[name][0]}"') if name in items else
            f"<d:response><d:href>{home}{name}</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>"
            for name in dict.fromkeys(part))
        if end < len(changes):
            answer += (f"<d:response><d:href>{home}</d:href><d:status>HTTP/1.1 507 Insufficient Storage</d:status>"
                       "</d:response>")
        self.multistatus(answer + f"<d:sync-token>{end}</d:sync-token>")

    def multistatus(self, text):
        self.reply(207, f'<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">{text}</d:multistatus>',
                   "application/xml; charset=utf-8")


def found(href, etag, more=""):
    return (f"<d:response><d:href>{href}</d:href><d:propstat><d:prop><d:getetag>{etag}</d:getetag>{more}</d:prop>"
            "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>")


def said(answer):
    status, kind, body = answer
    return status, body, kind


def browse(url, acts):
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
    place = urllib.parse.urlsplit(query["redirect_uri"])
    idle = []
    for act in acts:
        connection = http.client.HTTPConnection("127.0.0.1", place.port)
        if act == "idle":
            connection.connect()
            idle.append(connection)
            continue
        code = new("code")
        good = act == "good" and query["client_id"] == CLIENT and query["code_challenge_method"] == "S256"
        codes[code] = (query["code_challenge"] if good else "another", query["redirect_uri"])
        answers = {
            "good": {"code": code, "state": query["state"]},
            "swapped": {"code": code, "state": query["state"]},
            "wrong": {"code": code, "state": "x" * len(query["state"])},
            "stateless": {"code": code},
            "denied": {"error": "access_denied", "state": query["state"]},
        }
        target = "/favicon.ico" if act == "stray" else "/?" + urllib.parse.urlencode(answers[act])
        try:
            connection.request("GET", target)
            log.append(f"browser {act} {connection.getresponse().status}")
        except OSError:
            log.append(f"browser {act} closed")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Google)
print(server.server_port, flush=True)
server.serve_forever()
