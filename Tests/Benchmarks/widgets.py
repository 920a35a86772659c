#!/usr/bin/python3
"""What run-widgets measures with a client of its own.

usage: widgets.py pixels COUNT             from a change over the bus to other pixels on the screen, so many times
       widgets.py snapshot COUNT FILE      from a change over the bus to the file that was replaced
       widgets.py process PID              what a process holds
       widgets.py command COUNT COMMAND... how long a command takes, and how much of a processor
"""
import ctypes
import mmap
import os
import resource
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "DesktopTests"))


class Calendar:
    """The agent, over a connection that stays."""

    def __init__(self):
        from gi.repository import Gio, GLib

        self.gio, self.glib, self.variant = Gio, GLib, GLib.Variant
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.loop, self.told = GLib.MainContext.default(), 0
        self.bus.signal_subscribe(
            "org.datebook.Calendar1", "org.datebook.Calendar1", "EventsChanged", None, None,
            Gio.DBusSignalFlags.NONE, self.hear)
        start = time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(time.time() + 1500))
        self.uid = self.call("AddSimple", "(sssss)", "", "Alpha", start, "PT45M", "").unpack()[0]
        self.turn = 0

    def hear(self, bus, sender, path, interface, member, arguments):
        self.told = arguments.unpack()[0]

    def settle(self):
        """Returns once the agent has told of the last change, and a quarter of a second without one went by.

        That is a person's next edit: the agent rests after a look, a tenth of a second or so.
        """
        revision = self.bus.call_sync(
            "org.datebook.Calendar1", "/org/datebook/Calendar1", "org.freedesktop.DBus.Properties", "Get",
            self.variant("(ss)", ("org.datebook.Calendar1", "Revision")), None, self.gio.DBusCallFlags.NONE,
            20000, None).unpack()[0]
        while self.told < revision:
            self.loop.iteration(True)
        quiet = self.glib.timeout_source_new(250)
        quiet.set_callback(lambda *_: False)
        quiet.attach(self.loop)
        while not quiet.is_destroyed():
            self.loop.iteration(True)

    def call(self, member, signature, *arguments):
        return self.bus.call_sync(
            "org.datebook.Calendar1", "/org/datebook/Calendar1", "org.datebook.Calendar1.Events", member,
            self.variant(signature, arguments), None, self.gio.DBusCallFlags.NONE, 20000, None)

    def agent(self):
        """Its process."""
        return self.bus.call_sync(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
            "GetConnectionUnixProcessID", self.variant("(s)", ("org.datebook.Calendar1",)), None,
            self.gio.DBusCallFlags.NONE, 20000, None).unpack()[0]

    def change(self):
        """Another title for the event that is next; returns when it was asked for."""
        self.turn += 1
        title = self.variant("s", ("Omega" if self.turn % 2 else "Alpha") + " %d" % self.turn)
        begin = time.monotonic()
        self.call("SetField", "(ssssv)", self.uid, "", "", "summary", title)
        self.answered = time.monotonic()
        return begin


class Screen:
    """The first output, whose pixels come when they have changed: zwlr_screencopy_v1."""

    BUFFER, READY, FAILED = 0, 2, 3

    def __init__(self):
        from wayland import Wayland

        self.wayland = Wayland()
        self.output = self.wayland.bind("wl_output", 1)
        self.shm = self.wayland.bind("wl_shm", 1)
        self.manager = self.wayland.bind("zwlr_screencopy_manager_v1", 2)
        self.memory = None

    def ask(self, opcode):
        """Has a picture taken: now (0), or as soon as there is another one (2)."""
        wayland = self.wayland
        self.frame = wayland.new_id()
        wayland.send(self.manager, 0, self.frame, 0, self.output)
        body = self.wait(self.BUFFER)
        if self.memory is None:
            form, width, height, stride = struct.unpack("=IIII", body)
            file = os.memfd_create("screen")
            os.ftruncate(file, stride * height)
            self.memory = mmap.mmap(file, stride * height)
            pool, self.buffer = wayland.new_id(), wayland.new_id()
            wayland.send(self.shm, 0, pool, stride * height, descriptor=file)
            wayland.send(pool, 0, self.buffer, 0, width, height, stride, form)
        wayland.send(self.frame, opcode, self.buffer)

    def wait(self, wanted):
        while True:
            target, opcode, body = self.wayland.event()
            if target == self.frame and opcode == self.FAILED:
                sys.exit("sway takes no picture")
            if target == self.frame and opcode == wanted:
                return body

    def pixels(self):
        self.wait(self.READY)
        self.wayland.send(self.frame, 1)
        return bytes(self.memory)


def inotify(folder):
    """A descriptor that can be read when something was renamed into the folder."""
    libc = ctypes.CDLL(None, use_errno=True)
    watch = libc.inotify_init1(os.O_CLOEXEC)
    moved_to = 0x80
    if watch < 0 or libc.inotify_add_watch(watch, folder.encode(), moved_to) < 0:
        sys.exit("inotify: " + os.strerror(ctypes.get_errno()))
    return watch


def processor(pid):
    """For how long it was on one, in seconds."""
    with open("/proc/%d/schedstat" % pid) as file:
        return int(file.read().split()[0]) / 1e9


def tell(what, seconds):
    times = sorted(1000 * second for second in seconds)
    print("%s: p50 %.1f ms (%.1f to %.1f, of %d)" % (
        what, times[len(times) // 2], times[0], times[-1], len(times)))


def measure_pixels(count):
    screen, calendar, times = Screen(), Calendar(), []
    for _ in range(count):
        calendar.settle()
        screen.ask(0)
        before = screen.pixels()
        screen.ask(2)
        begin = calendar.change()
        while screen.pixels() == before:
            screen.ask(2)
        times.append(time.monotonic() - begin)
    tell("change over the bus to pixels in waybar", times)


def measure_snapshot(count, path):
    calendar, times, answers = Calendar(), [], []
    calendar.settle()
    agent, before = calendar.agent(), processor(calendar.agent())
    watch = inotify(os.path.dirname(path))
    for _ in range(count):
        calendar.settle()
        begin = calendar.change()
        while os.path.basename(path).encode() not in os.read(watch, 4096):
            pass
        times.append(time.monotonic() - begin)
        answers.append(calendar.answered - begin)
        with open(path) as file:
            assert "%d" % calendar.turn in file.read(), "the file does not have the change"
    tell("change over the bus to the snapshot's file", times)
    tell("of these to the answer, with the change on the disk", answers)
    # Whatever else the machine does.
    print("the agent was on a processor for %.1f ms a change" % ((processor(agent) - before) / count * 1000))


def measure_process(pid):
    rows = {}
    for line in open("/proc/%s/smaps_rollup" % pid):
        words = line.split()
        if words[-1] == "kB":
            rows[words[0]] = int(words[1])
    clean, dirty = rows["Private_Clean:"], rows["Private_Dirty:"]
    print("%.1f MB resident: %.1f shared with others, %.1f of its own file, %.2f its own memory" % (
        rows["Rss:"] / 1000, (rows["Rss:"] - clean - dirty) / 1000, clean / 1000, dirty / 1000))


def measure_command(count, *command):
    times, before = [], resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(count):
        begin = time.monotonic()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        times.append(time.monotonic() - begin)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    tell("one run of %s" % os.path.basename(command[0]), times)
    print("polled each minute: %.1f s of a processor a day, and a change is seen after %.1f s on the average" % (
        1440 * used / count, 30 + sorted(times)[len(times) // 2]))


what, rest = sys.argv[1], sys.argv[2:]
if what == "pixels":
    measure_pixels(int(rest[0]))
elif what == "snapshot":
    measure_snapshot(int(rest[0]), rest[1])
elif what == "process":
    measure_process(rest[0])
else:
    measure_command(int(rest[0]), *rest[1:])
