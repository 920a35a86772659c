#!/usr/bin/env python3
"""Writes one calendar for several programs: FOLDER/events.ics, FOLDER/events.rem for remind, and
FOLDER/calcurse/apts for calcurse.

usage: reminder_files.py FOLDER COUNT FIRST STEP [spread|ahead]

COUNT events of half an hour begin FIRST seconds from now and STEP seconds after each other, each with
a reminder at its start; their summaries are their numbers. With "spread" they lie on both sides of
now instead, one in five comes weekly 13 times, and the reminder is a quarter of an hour before.
"""
import os
import sys
import time

folder, count, first, step = sys.argv[1], *map(int, sys.argv[2:5])
spread = sys.argv[5:] == ["spread"]
now = int(time.time())
begin = now + first - (count * step // 2 if spread else 0)
begin -= begin % 60 if spread else 0
before = 15 if spread else 0
os.makedirs(folder + "/calcurse", exist_ok=True)
with open(folder + "/events.ics", "w", newline="") as ics, \
        open(folder + "/events.rem", "w") as rem, open(folder + "/calcurse/apts", "w") as apts:
    ics.write("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Datebook//Benchmarks//EN\r\n")
    for number in range(count):
        start = begin + number * step
        title = "%06d" % number
        weekly = spread and number % 5 == 0
        utc, local = time.gmtime(start), time.localtime(start)
        until = time.localtime(start + 12 * 7 * 86400)
        ics.write("BEGIN:VEVENT\r\nUID:%s@reminders\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:%s\r\n"
                  % (title, title))
        ics.write("DTSTART:%s\r\nDURATION:PT30M\r\n" % time.strftime("%Y%m%dT%H%M%SZ", utc))
        if weekly:
            ics.write("RRULE:FREQ=WEEKLY;COUNT=13\r\n")
        ics.write("BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT%dM\r\nEND:VALARM\r\nEND:VEVENT\r\n" % before)
        rem.write("REM %s %sAT %s +%d DURATION 0:30 MSG %s\n" % (
            time.strftime("%d %b %Y", local),
            "*7 UNTIL " + time.strftime("%d %b %Y ", until) if weekly else "",
            time.strftime("%H:%M", local), before, title))
        end = time.localtime(start + 1800)
        apts.write("%s -> %s%s|%s\n" % (
            time.strftime("%m/%d/%Y @ %H:%M", local), time.strftime("%m/%d/%Y @ %H:%M", end),
            " {1W -> %s}" % time.strftime("%m/%d/%Y", until) if weekly else "", title))
    ics.write("END:VCALENDAR\r\n")
open(folder + "/calcurse/todo", "w").close()
open(folder + "/calcurse/conf", "w").close()
