"""The measurements of run-sync, in a session of its own. The one argument is an empty folder."""
import atexit
import glob
import http.server
import os
import re
import resource
import socket
import statistics
import subprocess
import sys
import threading
import time
import urllib.request

FOLDER = sys.argv[1]
BIN = os.environ["DATEBOOK_BIN"]
EVENTS = int(os.environ.get("EVENTS", "10000"))
TURNS = int(os.environ.get("TURNS", "5"))
IDLE = int(os.environ.get("IDLE", "120"))
WORK = f"{FOLDER}/server/collection-root/alice/work"
TICKS = os.sysconf("SC_CLK_TCK")


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", newline="") as file:
        file.write(text)


def event(number, title):
    day, minute = number // 20 % 1500, number % 20 * 30
    start = time.strftime("%Y%m%dT", time.gmtime(1735689600 + day * 86400))
    lines = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Datebook//sync.py//EN", "BEGIN:VEVENT",
        f"UID:event-{number}", "DTSTAMP:20250101T000000Z",
        f"DTSTART:{start}{8 + minute // 60:02}{minute % 60:02}00Z", "DURATION:PT30M",
        f"SUMMARY:{title}", "DESCRIPTION:What is to be brought along, and whom to ask for the key",
        "LOCATION:Room 4", "END:VEVENT", "END:VCALENDAR", "",
    ]
    return "\r\n".join(lines)


class Server:
    """A Radicale with the calendar, which has read all of it before anybody asks."""

    def __init__(self):
        for number in range(EVENTS):
            write(f"{WORK}/event-{number}.ics", event(number, f"Event {number}"))
        write(f"{WORK}/.Radicale.props", '{"tag": "VCALENDAR", "D:displayname": "Work"}')
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        write(
            f"{FOLDER}/radicale.conf",
            f"[server]\nhosts = 127.0.0.1:{self.port}\n[auth]\ntype = none\n[rights]\ntype = owner_only\n"
            f"[storage]\nfilesystem_folder = {FOLDER}/server\n[web]\ntype = none\n[logging]\nlevel = info\n",
        )
        self.url = f"http://127.0.0.1:{self.port}/"
        self.log = open(f"{FOLDER}/radicale.log", "w")
        self.process = subprocess.Popen(
            ["radicale", "--config", f"{FOLDER}/radicale.conf"], stdout=self.log, stderr=self.log)
        atexit.register(self.process.kill)
        body = (
            '<sync-collection xmlns="DAV:"><sync-token/><sync-level>1</sync-level>'
            "<prop><getetag/></prop></sync-collection>"
        )
        while True:
            try:
                self.ask("REPORT", "alice/work/", body)
                break
            except OSError:
                time.sleep(0.1)

    def ask(self, method, path, body, kind="application/xml"):
        request = urllib.request.Request(self.url + path, body.encode(), method=method)
        # Radicale asks for no password, and takes any name.
        request.add_header("Authorization", "Basic YWxpY2U6c2VjcmV0")
        request.add_header("Content-Type", kind)
        with urllib.request.urlopen(request, timeout=600) as answer:
            return answer.read()

    def requests(self):
        with open(f"{FOLDER}/radicale.log") as log:
            return len(re.findall(r"\] [A-Z]+ request for", log.read()))


def run(*words, **options):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{words[0]} failed: {done.stdout}{done.stderr}")
    return done.stdout


class Datebook:
    name = "datebook"

    def __init__(self, server):
        self.url = server.url
        self.agent = subprocess.Popen([f"{BIN}/datebookd"], stderr=subprocess.DEVNULL)
        run("gdbus", "wait", "--session", "--timeout", "20", "org.datebook.Calendar1")
        self.ctl("today")
        self.helper = 0
        threading.Thread(target=self.watch, daemon=True).start()

    def ctl(self, *words):
        return run(f"{BIN}/calctl", *words)

    def watch(self):
        """Notes the helper's highest memory."""
        while True:
            for path in glob.glob("/proc/[0-9]*/comm"):
                try:
                    if open(path).read() == "datebook-sync\n":
                        self.helper = max(self.helper, memory(path.split("/")[2], "VmHWM"))
                except OSError:
                    pass
            time.sleep(0.02)

    def add(self):
        self.ctl("sources", "add", "caldav", self.url, "--name", "cloud", "--user", "alice",
                 "--password-command", "/bin/echo secret", "--every", "1m")
        self.sync()

    def sync(self):
        self.ctl("sources", "sync", "cloud")

    def first(self):
        self.add()
        return self.ctl("agenda", "2025-01-01")

    def edit(self, title):
        self.ctl("add", title, "--start", "2027-01-05 10:00", "--calendar", "work")
        self.sync()

    def show(self, day):
        return self.ctl("agenda", day)

    def processor(self):
        # With those of its children that have ended: the runs of the helper.
        words = open(f"/proc/{self.agent.pid}/stat").read().rsplit(")", 1)[1].split()
        return sum(map(int, words[11:15])) / TICKS + children()


class Peer:
    name = "vdirsyncer"

    def __init__(self, server):
        os.makedirs(f"{FOLDER}/vdir/work")
        write(
            f"{FOLDER}/vdirsyncer.conf",
            f'[general]\nstatus_path = "{FOLDER}/status"\n[pair p]\na = "here"\nb = "there"\n'
            'collections = ["work"]\n[storage here]\ntype = "filesystem"\n'
            f'path = "{FOLDER}/vdir"\nfileext = ".ics"\n[storage there]\ntype = "caldav"\n'
            f'url = "{server.url}"\nusername = "alice"\npassword = "secret"\n',
        )
        write(
            f"{FOLDER}/khal.conf",
            f"[calendars]\n[[work]]\npath = {FOLDER}/vdir/work\n[locale]\ntimeformat = %H:%M\n"
            "dateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\ndatetimeformat = %Y-%m-%d %H:%M\n"
            "longdatetimeformat = %Y-%m-%d %H:%M\nlocal_timezone = Europe/Berlin\n"
            f"default_timezone = Europe/Berlin\n[sqlite]\npath = {FOLDER}/khal.db\n",
        )

    def vdirsyncer(self, *words):
        run("vdirsyncer", "-c", f"{FOLDER}/vdirsyncer.conf", *words, input="y\n" * 9)

    def khal(self, *words):
        return run("khal", "-c", f"{FOLDER}/khal.conf", *words)

    def sync(self):
        self.vdirsyncer("sync")

    def first(self):
        self.vdirsyncer("discover", "p")
        self.sync()
        return self.khal("list", "2025-01-01", "1d")

    def edit(self, title):
        self.khal("new", "-a", "work", "2027-01-05", "10:00", "1h", title)
        self.sync()

    def show(self, day):
        return self.khal("list", day, "1d")

    def processor(self):
        return children()


def children():
    """The processor time of the programs that this one has run, but for the agent and the server."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def memory(process, line):
    for row in open(f"/proc/{process}/status"):
        if row.startswith(line + ":"):
            return int(row.split()[1]) / 1000
    return 0


def measure(client, server, body):
    """Returns the seconds, the requests and the seconds of processor time that something takes."""
    requests, processor, began = server.requests(), client.processor(), time.monotonic()
    body()
    return time.monotonic() - began, server.requests() - requests, client.processor() - processor


def show(what, found):
    """Prints the medians of two clients, and the ratios."""
    (ours, theirs) = [[statistics.median(column) for column in zip(*each)] for each in found]
    cells = []
    for name, unit, mine, other in zip(("time", "requests", "processor"), (1000, 1, 1000), ours, theirs):
        ratio = f" ({mine / other:.2f})" if other else ""
        cells.append(f"{name} {mine * unit:.0f}, peer {other * unit:.0f}{ratio}")
    print(f"{what:34} {'; '.join(cells)}", flush=True)


def expect(text, output):
    if text not in output:
        sys.exit(f"{text} is not shown: {output[:500]}")


def there(title):
    return any(title in open(path).read() for path in newest())


def newest():
    return sorted(glob.glob(f"{WORK}/*.ics"), key=os.path.getmtime)[-3:]


server = Server()
datebook, peer = Datebook(server), Peer(server)
clients = [datebook, peer]
print(f"{EVENTS} events; milliseconds, and in brackets how many times the peer's (vdirsyncer and khal)")
before = memory(datebook.agent.pid, "VmRSS")
found = []
for client in clients:
    found.append([measure(client, server, lambda: expect("Event 0", client.first()))])
show("first time, until it is shown", found)
peak = memory(datebook.agent.pid, "VmHWM")
for client in clients:
    client.sync()
found = [[], []]
for _ in range(TURNS):
    for client, rows in zip(clients, found):
        rows.append(measure(client, server, client.sync))
show("without a change", found)
after = memory(datebook.agent.pid, "VmRSS")

found = [[], []]
for turn in range(TURNS):
    for client, rows in zip(clients, found):
        title = f"Here {client.name} {turn}"
        rows.append(measure(client, server, lambda: client.edit(title)))
        if not there(title):
            sys.exit(f"{title} is not on the server")
    for client in clients:
        client.sync()
show("an edit here, until it is there", found)

found = [[], []]
for turn in range(TURNS):
    for client, rows in zip(clients, found):
        title = f"There {client.name} {turn}"
        text = event(0, title).replace("\r\n", "\n")
        server.ask("PUT", "alice/work/event-0.ics", text, "text/calendar")

        def follow():
            client.sync()
            expect(title, client.show("2025-01-01"))

        rows.append(measure(client, server, follow))
    for client in clients:
        client.sync()
show("an edit there, until it is shown", found)

began = time.monotonic()
datebook.ctl("add", "Unasked", "--start", "2027-01-06 10:00", "--calendar", "work")
while not there("Unasked"):
    time.sleep(0.01)
print(f"an edit here is there by itself after {time.monotonic() - began:.1f} s, of which 2 s are waited for others")



def change(turn):
    """Changes one event of the calendar, and returns the seconds until the server has it, by itself."""
    number, title = EVENTS * (turn + 1) // (TURNS + 2), f"Changed {turn}"
    path = f"{WORK}/event-{number}.ics"
    began = time.monotonic()
    datebook.ctl("edit", f"event-{number}", "--title", title)
    while title not in open(path).read():
        if time.monotonic() - began > 120:
            sys.exit(f"{title} is not on the server")
        time.sleep(0.005)
    seconds = time.monotonic() - began
    # The run reads back what the server keeps.
    time.sleep(1)
    return seconds


settled, whole, datebook.helper = memory(datebook.agent.pid, "VmRSS"), datebook.helper, 0
waits = [change(turn) for turn in range(TURNS)]
print(
    f"a change of one of {EVENTS} events is there by itself after {statistics.median(waits):.2f} s "
    f"({min(waits):.2f} to {max(waits):.2f}), of which 2 s are waited for others; memory of the agent "
    f"{settled:.1f} MB before and {memory(datebook.agent.pid, 'VmRSS'):.1f} MB after, of its helper "
    f"{datebook.helper:.1f} MB at the peak")
datebook.helper = whole

for _ in range(50):
    datebook.sync()
rest = memory(datebook.agent.pid, "VmRSS")
print(
    f"memory of the agent: {before:.1f} MB before, {peak:.1f} MB at the peak, {after:.1f} MB after, "
    f"{rest:.1f} MB after 50 more runs; its helper {datebook.helper:.1f} MB at the peak")


class Feed(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = event(1, "Feed").encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


feed = http.server.HTTPServer(("127.0.0.1", 0), Feed)
threading.Thread(target=feed.serve_forever, daemon=True).start()
datebook.ctl("sources", "add", "webcal", f"http://127.0.0.1:{feed.server_port}/a.ics", "--name", "feed")
write(f"{FOLDER}/folder/home/a.ics", event(2, "Folder"))
datebook.ctl("sources", "add", "vdir", f"{FOLDER}/folder", "--name", "folder")
datebook.ctl("sources", "sync")
time.sleep(5)


def wakeups():
    for row in open(f"/proc/{datebook.agent.pid}/status"):
        if row.startswith("voluntary_ctxt_switches:"):
            return int(row.split()[1])
    return 0


count, used, asked = wakeups(), datebook.processor(), server.requests()
time.sleep(IDLE)
count, used, asked = wakeups() - count, datebook.processor() - used, server.requests() - asked
print(
    f"at rest with three sources, the server asked once a minute: {count * 60 / IDLE:.1f} wakeups, "
    f"{used * 60000 / IDLE:.1f} ms of processor time and {asked * 60 / IDLE:.1f} requests a minute")
datebook.agent.terminate()
datebook.agent.wait()
