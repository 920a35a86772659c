"""Reads calendars from standard input with a package of PyPI, "icalendar" or "ical"; writes a line
for each VEVENT: its UID, when it starts and ends, its title and its rule."""

import datetime
import sys


def when(value):
    if value is None:
        return ""
    if not isinstance(value, datetime.datetime):
        return value.strftime("%Y%m%d")
    if value.tzinfo is None:
        return value.strftime("%Y%m%dT%H%M%S")
    return value.astimezone(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")


def write(uid, start, end, summary, rule):
    title = str(summary or "").replace("\n", "\\n")
    print(uid, when(start), when(end), title, rule, sep="|")


text = sys.stdin.buffer.read()
if sys.argv[1] == "icalendar":
    import icalendar

    for calendar in icalendar.Calendar.from_ical(text, multiple=True):
        for component in calendar.walk():
            for name, reason in component.errors:
                sys.exit(f"{name}: {reason}")
        for event in calendar.walk("VEVENT"):
            end = event.get("DTEND")
            rule = event.get("RRULE")
            write(
                event.get("UID"), event["DTSTART"].dt, end and end.dt, event.get("SUMMARY"),
                rule.to_ical().decode() if rule else "",
            )
else:
    from ical.calendar_stream import CalendarStream

    for calendar in CalendarStream.from_ics(text.decode()).calendars:
        for event in calendar.events:
            rule = event.rrule.as_rrule_str() if event.rrule else ""
            write(event.uid, event.dtstart, event.dtend, event.summary, rule)
