"""Reads a calendar from standard input with the icalendar package; writes how many of each kind of
component it has, and each error that the package notes in one."""

import sys

import icalendar

calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
for kind in ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"]:
    print(kind, sum(1 for component in calendar.subcomponents if component.name == kind))
for component in calendar.walk():
    for name, reason in component.errors:
        print("error", name, reason)
