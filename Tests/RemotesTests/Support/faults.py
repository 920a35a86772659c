"""A web server that answers what it is told to: a JSON array of exchanges on standard input.

It prints the port that it listens on, then each request as a line of JSON. An exchange has "on" ("GET /path"), "when"
(words in the body or the headers of the request), "status", "headers", "body", "cut" (the connection ends after so many
octets of the body) and "silent" (it ends without an answer). Exchanges are used in their order; the last that fits is
used again and again.
"""
import gzip
import http.server
import json
import sys

EXCHANGES = json.load(sys.stdin)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode("utf-8", "replace")
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = {"method": self.command, "path": self.path, "headers": headers, "body": body}
        print(json.dumps(request), flush=True)
        words = body + json.dumps(headers)
        on = f"{self.command} {self.path}"
        fitting = [each for each in EXCHANGES if each["on"] == on and each["when"] in words]
        if not fitting:
            return self.send({"status": 500, "headers": {}, "body": f"unexpected: {on}", "cut": None})
        if len(fitting) > 1:
            EXCHANGES.remove(fitting[0])
        if fitting[0]["silent"]:
            self.close_connection = True
        else:
            self.send(fitting[0])

    def send(self, exchange):
        body = exchange["body"].encode()
        if exchange["headers"].get("Content-Encoding") == "gzip":
            body = gzip.compress(body)
        self.send_response(exchange["status"])
        names = {name.lower() for name in exchange["headers"]}
        for name, value in exchange["headers"].items():
            self.send_header(name, value)
        if "content-type" not in names:
            self.send_header("Content-Type", "application/xml; charset=utf-8")
        if "connection" in names:
            self.close_connection = True
        else:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if exchange["cut"] is not None:
            body = body[:exchange["cut"]]
            self.close_connection = True
        self.wfile.write(body)

    def log_message(self, *_):
        pass


for method in ["GET", "PUT", "DELETE", "PROPFIND", "REPORT", "MKCALENDAR"]:
    setattr(Handler, f"do_{method}", Handler.answer)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
