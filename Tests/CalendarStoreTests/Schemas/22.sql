-- Schema 20, with rows.

-- Numbers that stand for the whole database: "revision", the number of the last change.
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE calendars (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  color INTEGER NOT NULL,
  is_visible INTEGER NOT NULL,
  is_read_only INTEGER NOT NULL,
  is_default INTEGER NOT NULL,        -- 1 in exactly one row
  source TEXT NOT NULL,
  time_zone TEXT,                     -- IANA name; NULL: the agent's zone
  place INTEGER NOT NULL,             -- in lists, from 0
  timed_reminders TEXT NOT NULL,      -- packed lengths of time before the start
  all_day_reminders TEXT NOT NULL,    -- packed lengths of time after the first midnight
  properties TEXT NOT NULL DEFAULT '', -- packed content lines of VCALENDAR that mean nothing here
  late_telling TEXT NOT NULL DEFAULT ''
) STRICT;

-- All that one UID means in one calendar.
CREATE TABLE series (
  key INTEGER PRIMARY KEY,
  calendar INTEGER NOT NULL REFERENCES calendars(key),
  uid TEXT NOT NULL,
  revision INTEGER NOT NULL,          -- of the last change
  alarms_through INTEGER NOT NULL,    -- alarms up to this instant are dealt with
  next_alarm INTEGER,                 -- first alarm after that; NULL: none
  is_unplaced INTEGER NOT NULL,
  content INTEGER NOT NULL DEFAULT 0,
  first_minute INTEGER,               -- where it lies, if that is short; NULL: it is in spans
  last_minute INTEGER,
  UNIQUE (calendar, uid)
) STRICT;
CREATE INDEX series_by_minute ON series(first_minute, last_minute)
  WHERE first_minute IS NOT NULL;
CREATE INDEX series_by_alarm ON series(next_alarm) WHERE next_alarm IS NOT NULL;

-- One row a VEVENT, VTODO, VJOURNAL or VFREEBUSY: the master first, then the overrides, in the order of their keys.
CREATE TABLE components (
  key INTEGER PRIMARY KEY,
  series INTEGER NOT NULL REFERENCES series(key),
  recurrence_id TEXT,                 -- a time; NULL: this is the master
  applies_to_future INTEGER NOT NULL, -- RANGE=THISANDFUTURE
  start TEXT NOT NULL,                -- a time
  finish TEXT NOT NULL,               -- a time, a length of time, or ''
  rules TEXT NOT NULL,                -- packed RRULE values
  exclusion_rules TEXT NOT NULL,      -- packed EXRULE values
  added TEXT NOT NULL,                -- packed pairs of start and finish (RDATE)
  excluded TEXT NOT NULL,             -- packed times (EXDATE)
  summary TEXT NOT NULL,
  location TEXT NOT NULL,
  description TEXT NOT NULL,
  url TEXT NOT NULL,
  status TEXT NOT NULL,               -- confirmed, tentative, cancelled
  is_busy INTEGER NOT NULL,
  class TEXT NOT NULL,                -- public, private, confidential
  color INTEGER,                      -- NULL: the calendar's
  categories TEXT NOT NULL,           -- packed
  organizer TEXT NOT NULL,            -- packed address, name, participation; '' for none
  attendees TEXT NOT NULL,            -- packed, three items each as of the organizer
  alarms TEXT NOT NULL,               -- packed, seven items each; see AlarmText
  sequence INTEGER NOT NULL,
  created INTEGER,                    -- NULL: not given
  last_modified INTEGER,              -- NULL: not given
  component TEXT NOT NULL,            -- canonical iCalendar text; '' until it is written
  counted_ends TEXT NOT NULL DEFAULT '',  -- packed times: where each rule with COUNT ends
  kind TEXT NOT NULL DEFAULT 'event', -- event, to-do, journal, free-busy
  anchor TEXT NOT NULL DEFAULT 'start',  -- what start was read from: start, due, recurrence-id, none
  progress TEXT NOT NULL DEFAULT '',  -- of a to-do: needs-action, in-process, completed, cancelled
  completed INTEGER,                  -- of a to-do: when it was done; NULL: not given
  percent INTEGER NOT NULL DEFAULT 0, -- of a to-do: 0 to 100
  priority INTEGER NOT NULL DEFAULT 0, -- of a to-do: 1 highest, 9 lowest, 0 none
  conference TEXT NOT NULL DEFAULT '' -- the https address of CONFERENCE
) STRICT;
CREATE INDEX components_by_series ON components(series);
CREATE INDEX components_by_kind ON components(kind, series) WHERE kind <> 'event';

-- Where each series lies: minutes since 1970-01-01T00:00Z, the last one included. Seconds
-- would end in 2038; what lies beyond the year 6053 is kept at the end of the range.
-- Beside them when in a week and in a month it has its occurrences; see SeriesPhases.
CREATE VIRTUAL TABLE spans USING rtree_i32(
  series, first_minute, last_minute, first_of_week, last_of_week, first_of_month, last_of_month
);

-- The words of each VEVENT, under the key of its component; see SearchIndex and SearchText.
CREATE VIRTUAL TABLE search USING fts5(
  summary, location, description, attendees, categories,
  content = '', tokenize = 'unicode61 remove_diacritics 2'
);

-- VTIMEZONE components of zones that no system knows.
CREATE TABLE zones (
  id TEXT PRIMARY KEY,                -- TZID
  component TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- By which rules of zones the alarms were planned: as a TZif file. '' is the agent's zone.
CREATE TABLE planned_zones (
  name TEXT PRIMARY KEY,
  rules BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Every reminder that ever fell due. It holds what is shown, and outlives its event.
CREATE TABLE reminders (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL,                   -- sixteen hexadecimal digits, made of the next five
  calendar TEXT NOT NULL,
  uid TEXT NOT NULL,
  recurrence_id TEXT NOT NULL,
  alarm TEXT NOT NULL,
  trigger_at INTEGER NOT NULL,
  summary TEXT NOT NULL,
  location TEXT NOT NULL,
  join_url TEXT NOT NULL,
  span_start INTEGER NOT NULL,
  span_end INTEGER NOT NULL,
  is_all_day INTEGER NOT NULL,
  is_private INTEGER NOT NULL,
  state TEXT NOT NULL,                -- due, delivered, snoozed, acknowledged, closed
  close_reason TEXT,                  -- NULL unless closed
  due INTEGER NOT NULL,               -- the trigger, or the end of the last snooze
  snoozes INTEGER NOT NULL,
  is_missed INTEGER NOT NULL,
  due_at INTEGER,                     -- when it last came into each state; NULL: never
  delivered_at INTEGER,
  snoozed_at INTEGER,
  acknowledged_at INTEGER,
  closed_at INTEGER,
  closed_by INTEGER,
  earlier TEXT NOT NULL DEFAULT '',
  zone TEXT NOT NULL DEFAULT '',
  clock_name INTEGER NOT NULL DEFAULT 0,
  UNIQUE (uid, calendar, recurrence_id, alarm, trigger_at)
) STRICT;
CREATE INDEX reminders_by_id ON reminders(id);
CREATE INDEX reminders_pending ON reminders(due)
  WHERE state IN ('due', 'delivered', 'snoozed');

-- What each revision touched.
CREATE TABLE changes (
  revision INTEGER NOT NULL,
  calendar TEXT NOT NULL,
  uid TEXT NOT NULL,
  change TEXT NOT NULL,               -- added, updated, removed
  origin TEXT NOT NULL,               -- local, sync, import, undo, external-file
  at INTEGER NOT NULL,
  PRIMARY KEY (revision, calendar, uid)
) STRICT, WITHOUT ROWID;

CREATE TABLE undo_steps (
  key INTEGER PRIMARY KEY,
  action TEXT NOT NULL,
  at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  is_undone INTEGER NOT NULL,
  octets INTEGER NOT NULL DEFAULT 0,
  is_refused INTEGER NOT NULL DEFAULT 0,
  is_dropped INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE series_images (
  key INTEGER PRIMARY KEY,
  step INTEGER REFERENCES undo_steps(key) ON DELETE SET NULL,
  calendar TEXT NOT NULL,
  uid TEXT NOT NULL,
  removed_at INTEGER,
  removed_on INTEGER,
  revision INTEGER NOT NULL DEFAULT 0,
  content INTEGER NOT NULL DEFAULT 0,
  alarms_through INTEGER,
  place INTEGER
) STRICT;
CREATE INDEX series_images_by_step ON series_images(step, removed_on);
CREATE INDEX series_images_removed ON series_images(removed_on) WHERE removed_on IS NOT NULL;
CREATE INDEX series_images_by_name ON series_images(uid, calendar) WHERE removed_on IS NOT NULL;
CREATE TABLE component_images (
  key INTEGER PRIMARY KEY,
  image INTEGER NOT NULL REFERENCES series_images(key) ON DELETE CASCADE,
  recurrence_id TEXT,
  applies_to_future INTEGER NOT NULL,
  start TEXT NOT NULL,
  finish TEXT NOT NULL,
  rules TEXT NOT NULL,
  exclusion_rules TEXT NOT NULL,
  added TEXT NOT NULL,
  excluded TEXT NOT NULL,
  summary TEXT NOT NULL,
  location TEXT NOT NULL,
  description TEXT NOT NULL,
  url TEXT NOT NULL,
  status TEXT NOT NULL,
  is_busy INTEGER NOT NULL,
  class TEXT NOT NULL,
  color INTEGER,
  categories TEXT NOT NULL,
  organizer TEXT NOT NULL,
  attendees TEXT NOT NULL,
  alarms TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  created INTEGER,
  last_modified INTEGER,
  component TEXT NOT NULL,
  counted_ends TEXT NOT NULL DEFAULT '',
  kind TEXT NOT NULL DEFAULT 'event',
  anchor TEXT NOT NULL DEFAULT 'start',
  progress TEXT NOT NULL DEFAULT '',
  completed INTEGER,
  percent INTEGER NOT NULL DEFAULT 0,
  priority INTEGER NOT NULL DEFAULT 0,
  conference TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX component_images_by_image ON component_images(image);
CREATE TABLE calendar_images (
  key INTEGER PRIMARY KEY,
  step INTEGER NOT NULL REFERENCES undo_steps(key) ON DELETE CASCADE,
  is_present INTEGER NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  color INTEGER NOT NULL,
  is_visible INTEGER NOT NULL,
  is_read_only INTEGER NOT NULL,
  is_default INTEGER NOT NULL,
  source TEXT NOT NULL,
  time_zone TEXT,
  place INTEGER NOT NULL,
  timed_reminders TEXT NOT NULL,
  all_day_reminders TEXT NOT NULL,
  properties TEXT NOT NULL DEFAULT '',
  late_telling TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX calendar_images_by_step ON calendar_images(step);

-- What version 6 of the schema was used for: a calendar, a meeting that is over, a day that repeats,
-- a to-do.

-- Where calendars come from besides this computer: servers, web addresses, folders.
CREATE TABLE sources (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,                 -- caldav, webcal, vdir, radarr, sonarr, lidarr
  settings TEXT NOT NULL,             -- JSON, without secrets; see SourceSettings of the agent
  state TEXT NOT NULL                 -- JSON: how its last runs ended
) STRICT;

-- The calendars of a source.
CREATE TABLE collections (
  key INTEGER PRIMARY KEY,
  source INTEGER NOT NULL REFERENCES sources(key) ON DELETE CASCADE,
  href TEXT NOT NULL,                 -- as the source writes it
  calendar TEXT NOT NULL,             -- the ID of ours; '': not chosen, so never asked for
  token TEXT NOT NULL,                -- the state of the source when `items` was complete
  UNIQUE (source, href)
) STRICT;
CREATE INDEX collections_by_calendar ON collections(calendar) WHERE calendar <> '';

-- What a collection holds: one row a UID that both sides have, or had when they last agreed.
CREATE TABLE items (
  key INTEGER PRIMARY KEY,
  collection INTEGER NOT NULL REFERENCES collections(key) ON DELETE CASCADE,
  href TEXT NOT NULL,
  uid TEXT NOT NULL,
  etag TEXT NOT NULL,
  content INTEGER NOT NULL,           -- series.content when both sides agreed
  base TEXT,                          -- its text then; NULL: that of the series, until it is edited
  schedule_tag TEXT NOT NULL DEFAULT '',  -- belongs to etag; '': the source gives none
  UNIQUE (collection, href)
) STRICT;
CREATE INDEX items_by_uid ON items(collection, uid);

-- What was sent to a source whose answer is not known: it may have it or not.
CREATE TABLE sent_items (
  collection INTEGER NOT NULL REFERENCES collections(key) ON DELETE CASCADE,
  href TEXT NOT NULL,
  uid TEXT NOT NULL,
  content INTEGER NOT NULL,           -- series.content when it was sent
  text TEXT NOT NULL,
  PRIMARY KEY (collection, href, content)
) STRICT, WITHOUT ROWID;

-- Every way to change an event comes past here: the first edit keeps its base.
CREATE TRIGGER keep_base AFTER UPDATE OF content ON series WHEN old.content <> new.content BEGIN
  UPDATE items SET base = (
    SELECT 'BEGIN:VCALENDAR' || char(13, 10) || group_concat(component, '')
          || 'END:VCALENDAR' || char(13, 10) FROM (
      SELECT component FROM components WHERE series = old.key ORDER BY key))
  WHERE base IS NULL AND uid = old.uid AND content = old.content AND collection IN (
    SELECT collections.key FROM collections JOIN calendars ON calendars.id = calendar
    WHERE calendars.key = old.calendar);
END;

INSERT INTO meta VALUES ('revision', 2);
INSERT INTO calendars VALUES (1, 'personal', 'Personal', 3900150, 1, 0, 1, 'local', NULL, 0, '',
  '4:PT9H', '', '');
INSERT INTO series VALUES (1, 1, 'meeting@example.org', 1, 1795254300, NULL, 0, 1, 29920800,
  29921101);
INSERT INTO series VALUES (2, 1, 'day@example.org', 2, 1795219200, NULL, 0, 2, NULL, NULL);
INSERT INTO series VALUES (3, 1, 'rent@example.org', 2, 1795219200, NULL, 0, 2, 29933040, 29934961);
INSERT INTO components VALUES (1, 1, NULL, 0, '20261121T110000 Europe/Berlin', 'PT1H', '', '', '',
  '', 'Meeting', 'Room 4', '', '', 'confirmed', 1, 'public', NULL, '4:work',
  '22:mailto:ana@example.org3:Ana8:accepted', '', '1:17:display7:S-PT15M1:04:PT0S0:0:', 0,
  1795000000, NULL, '', '', 'event', 'start', '', NULL, 0, 0, '');
INSERT INTO components VALUES (2, 2, NULL, 0, '20261224', '', '19:FREQ=YEARLY;COUNT=3', '', '',
  '8:20271224', 'Day', '', '', '', 'confirmed', 0, 'public', 14704955, '', '', '', '', 1, NULL,
  NULL, '', '0:', 'event', 'start', '', NULL, 0, 0, '');
INSERT INTO components VALUES (3, 3, NULL, 0, '20261201', '', '', '', '', '', 'Rent', '', '', '',
  'confirmed', 1, 'public', NULL, '', '', '', '', 0, NULL, NULL, '', '', 'to-do', 'due', 'in-process',
  NULL, 50, 1, '');
INSERT INTO search (rowid, summary, location, description, attendees, categories) VALUES
  (1, 'Meeting', 'Room 4', '', 'ana@example.org' || char(10) || 'Ana' || char(10), 'work' || char(10)),
  (2, 'Day', '', '', '', '');
INSERT INTO spans VALUES (2, 29967300, 31022000, 0, 10080, 0, 44640);
INSERT INTO zones VALUES ('Office', 'BEGIN:VTIMEZONE');
INSERT INTO planned_zones VALUES ('',
  X'545A69663300000000000000000000000000000000000000000000000000000000000000000000010000000400000E1000002D303000545A69663300000000000000000000000000000000000000000000000000000000000000000000010000000400000E1000002D3030000A3C2D30303E2D313A303A303C2D30303E2D323A303A302C4D332E352E302F323A303A302C4D31302E352E302F333A303A300A');
INSERT INTO reminders VALUES (1, '0123456789abcdef', 'personal', 'meeting@example.org', '', '1',
  1795254300, 'Meeting', 'Room 4', '', 1795255200, 1795258800, 0, 0, 'delivered', NULL, 1795254300,
  0, 0, 1795254300, 1795254300, NULL, NULL, NULL, NULL, '', '', 0);
INSERT INTO changes VALUES (1, 'personal', 'meeting@example.org', 'added', 'local', 1795219200);
INSERT INTO changes VALUES (2, 'personal', 'day@example.org', 'added', 'import', 1795219200);
INSERT INTO changes VALUES (2, 'personal', 'rent@example.org', 'added', 'import', 1795219200);
INSERT INTO undo_steps VALUES (1, 'remove', 1795219200, 1, 0, 700, 0, 0);
INSERT INTO series_images VALUES (1, 1, 'personal', 'gone@example.org', 1795219200, 1795219200, 1, 0,
  NULL, NULL);
INSERT INTO meta VALUES ('passed', 1795219200);
INSERT INTO component_images VALUES (1, 1, NULL, 0, '20261121T110000 Europe/Berlin', 'PT1H', '', '',
  '', '', 'Gone', '', '', '', 'confirmed', 1, 'public', NULL, '', '', '', '', 0, NULL, NULL, '', '',
  'event', 'start', '', NULL, 0, 0, '');
INSERT INTO sources VALUES (1, 'cloud', 'caldav', '{}', '{}');
INSERT INTO collections VALUES (1, 1, '/alice/work/', 'personal', 'sync:1');
INSERT INTO items VALUES (1, 1, '/alice/work/day.ics', 'day@example.org', '"1"', 2, NULL, '"s1"');
INSERT INTO sent_items VALUES (1, '/alice/work/day.ics', 'day@example.org', 2, 'BEGIN:VCALENDAR');
