"""Writes texts that are there to do harm into a folder, one file each: those of HostileImportTests.swift and more of
their kind, so that what they take can be measured with the programs as they are shipped; see run-import.

usage: hostile.py FOLDER
"""

import pathlib
import sys

START = "DTSTART:20261121T140000Z"
ALARM = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\n"


def event(uid, *lines):
    text = "".join(line if line.endswith("\r\n") else line + "\r\n" for line in lines)
    return f"BEGIN:VEVENT\r\nUID:{uid}\r\nDTSTAMP:20261101T000000Z\r\n{text}END:VEVENT\r\n"


def calendar(*components):
    # What stands behind the harm is to be kept.
    return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n" + "".join(components) + (
        event("good", START) + "END:VCALENDAR\r\n"
    )


def date(number):
    return f"2027{number // 28 % 12 + 1:02}{number % 28 + 1:02}T{number // 336 % 24:02}{number // 8064:02}00Z"


def alarms(count):
    return calendar(event("a", START, "RRULE:FREQ=DAILY", ALARM * count))


def secondly(count):
    rule = "RRULE:FREQ=SECONDLY"
    return calendar(*(event(f"s{one}", START, rule, "SUMMARY:Tick", ALARM) for one in range(count)))


def exceptions(count):
    return calendar(
        event("e", "DTSTART:20270101T000000Z", "RRULE:FREQ=MINUTELY"),
        *(event("e", f"RECURRENCE-ID:{date(one)}", START, f"SUMMARY:{one}") for one in range(count)),
    )


def dates(name, series, count):
    values = ",".join(date(one) for one in range(count))
    lines = [START] + (["RRULE:FREQ=DAILY"] if name == "EXDATE" else [])
    return calendar(*(event(f"d{one}", *lines, f"{name}:{values}") for one in range(series)))


def day(count):
    return calendar(
        *(
            event(f"d{one}", f"DTSTART:20261121T{one % 24:02}{one // 24 % 60:02}00Z", f"SUMMARY:{one * 7919 % count}")
            for one in range(count)
        )
    )


def cancelled(count):
    events = "".join(event(f"c{one}", START) for one in range(count))
    return calendar(events) + calendar(
        *(event(f"c{one}", START, "SEQUENCE:1") for one in range(count))
    ).replace("PRODID:x", "METHOD:CANCEL\r\nPRODID:x")


def zone(name):
    rules = "DTSTART:19700101T000000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0100\r\n"
    return f"BEGIN:VTIMEZONE\r\nTZID:{name}\r\nBEGIN:STANDARD\r\n{rules}END:STANDARD\r\nEND:VTIMEZONE\r\n"


def table(head, *rows):
    return "\n".join([head, *rows, "Good,2026-11-21,good", ""])


TEXTS = {
    "line-of-10-MB.ics": lambda: calendar(event("a", START, "SUMMARY:" + 10_000_000 * "x")),
    "line-of-10-MB-in-folds.ics": lambda: calendar(
        event("a", START, "SUMMARY:x" + 135_000 * ("\r\n " + 74 * "x"))
    ),
    "one-octet-a-fold.ics": lambda: calendar(event("a", START, "SUMMARY:x" + 900_000 * "\r\n x")),
    "ten-lines-of-1-MB.ics": lambda: calendar(
        *(event(f"a{one}", START, "DESCRIPTION:" + 1_000_000 * "x") for one in range(10))
    ),
    "attachments-of-47-MB.ics": lambda: calendar(
        event("a", START, 50 * ("ATTACH;VALUE=BINARY;ENCODING=BASE64:" + 940_000 * "A" + "\r\n"))
    ),
    "attachments-of-8-MB.ics": lambda: calendar(
        event("a", START, 8 * ("ATTACH;VALUE=BINARY;ENCODING=BASE64:" + 1_000_000 * "A" + "\r\n"))
    ),
    "million-BEGINs.ics": lambda: calendar(
        1_000_000 * "BEGIN:X\r\n" + 1_000_000 * "END:X\r\n"
    ),
    "million-BEGINs-without-END.ics": lambda: calendar(1_000_000 * "BEGIN:X\r\n"),
    "ten-million-NUL.ics": lambda: calendar(event("a", START, "SUMMARY:a\0b")) + 10_000_000 * "\0",
    "half-a-file.ics": lambda: calendar(
        *(event(f"h{one}", START, f"SUMMARY:{one}", ALARM) for one in range(10_000))
    )[:-200],
    "10000-alarms.ics": lambda: alarms(10_000),
    "200-rules-by-the-second.ics": lambda: secondly(200),
    "years-0-and-99999.ics": lambda: calendar(
        event("a", "DTSTART:00000101T000000Z"),
        event("b", "DTSTART:999990101T000000Z"),
        event("c", "DTSTART:00010101T000000Z", "RRULE:FREQ=DAILY"),
        event("d", "DTSTART:99991231T235959Z", "DURATION:P1D", "RRULE:FREQ=YEARLY"),
    ),
    "50000-RDATE-in-a-line.ics": lambda: dates("RDATE", 1, 50_000),
    "90000-lines-of-RDATE.ics": lambda: calendar(event("a", START, 90_000 * f"RDATE:{date(1)}\r\n")),
    "40000-DTSTAMP-behind-a-BEGIN.ics": lambda: calendar(
        f"BEGIN:VEVENT\r\nUID:a\r\n{START}\r\n" + 40_000 * "X:\r\n" + "X:BEGIN:VEVENT\r\n",
        40_000 * "DTSTAMP:\r\n" + "END:VEVENT\r\n",
    ),
    "150000-ENDs-in-a-line.ics": lambda: calendar(
        150_000 * "END:X " + "\r\n", f"BEGIN:VEVENT\r\nUID:a\r\n{START}\r\n",
        150_000 * "END:X " + "\r\nEND:VEVENT\r\n",
    ),
    "500000-lines-without-a-blank.ics": lambda: calendar(
        event("a", START, 'X;P="a:b\r\n' + 500_000 * "b\r\n")
    ),
    "170000-lines-behind-500000-blanks.ics": lambda: calendar(
        event("a", START, "SUMMARY:" + 500_000 * " " + "\r\n" + 170_000 * "b\r\n")
    ),
    "200000-BEGINs-like-zones.ics": lambda: calendar(
        event("a", "DTSTART;TZID=Nobody's:20261121T140000"), 200_000 * "BEGIN:VTIMEZONEX\r\n"
    ),
    "60000-zones-in-a-line.ics": lambda: calendar(
        event("a", "DTSTART;TZID=Nobody's:20261121T140000"), 60_000 * "BEGIN:VTIMEZONE" + "\r\n"
    ),
    "20-times-9990-RDATE.ics": lambda: dates("RDATE", 20, 9_990),
    "20-times-9990-EXDATE.ics": lambda: dates("EXDATE", 20, 9_990),
    "20000-events-of-40-octets.ics": lambda: calendar(
        *(f"BEGIN:VEVENT\nDTSTART:20260101\nSUMMARY:{one}\nEND:VEVENT\n" for one in range(20_000))
    ),
    "20000-unused-zones.ics": lambda: calendar(*(zone(f"Z{one}") for one in range(20_000))),
    "90000-people.ics": lambda: calendar(
        event("a", START, *(f"ATTENDEE:mailto:a{one}@b.c" for one in range(90_000)))
    ),
    "UIDs-of-1-MB.ics": lambda: calendar(*(event(f"{one}" + 1_000_000 * "x", START) for one in range(10))),
    "names-of-1-MB.ics": lambda: calendar(
        *(event(f"a{one}", START, 1_000_000 * "X" + ":\1") for one in range(10))
    ),
    "10000-exceptions.ics": lambda: exceptions(10_000),
    "4-million-categories.ics": lambda: calendar(event("a", START, *(8 * ["CATEGORIES:" + 500_000 * "a,"]))),
    "20000-rules-for-30-February.ics": lambda: calendar(
        *(event(f"{one}", START, "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30") for one in range(20_000))
    ),
    "100000-events-on-a-day.ics": lambda: day(100_000),
    "50000-cancelled-at-once.ics": lambda: cancelled(50_000),
    "60000-rows.csv": lambda: table("summary,start,uid", *(f"{one:x},2026-01-01" for one in range(60_000))),
    "3-million-columns.csv": lambda: table("summary,start,uid" + 3_000_000 * ",a"),
    "8-million-cells.csv": lambda: table("summary,start,uid", "Tea,2026-01-01" + 8_000_000 * ","),
    "60000-times-the-same-row.csv": lambda: table("summary,start,uid", *(60_000 * ["Tea,2026-01-01"])),
}
# The same in two octets a character.
UTF16 = ["line-of-10-MB.ics", "million-BEGINs.ics", "ten-million-NUL.ics", "half-a-file.ics", "20-times-9990-RDATE.ics"]

folder = pathlib.Path(sys.argv[1])
for name, text in TEXTS.items():
    (folder / name).write_bytes(text().encode())
for name in UTF16:
    (folder / f"utf-16-{name}").write_bytes(TEXTS[name]().encode("utf-16"))
