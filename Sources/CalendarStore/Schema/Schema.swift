/// The tables of the current schema.
///
/// Instants are INTEGER seconds since 1970-01-01T00:00:00Z, booleans 0 and 1, colors 0xRRGGBB,
/// durations RFC 5545 text. *Packed* text is a list; see ``PackedText``. A *time* is a DTSTART as
/// ``EventTimeText`` writes it. Missing text is '', unless NULL has a meaning here.
enum Schema {
  /// The columns of calendars and their images.
  private static let calendarColumns = """
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
    properties TEXT NOT NULL DEFAULT '',  -- packed content lines of VCALENDAR
    late_telling TEXT NOT NULL DEFAULT '' -- how late reminders are told: '' as usual, always, a length
    """

  /// The columns of components and their images.
  private static let componentColumns = """
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
    kind TEXT NOT NULL DEFAULT 'event', -- event, to-do, journal, free-busy, other
    anchor TEXT NOT NULL DEFAULT 'start',  -- what start was read from: start, due, recurrence-id, none
    progress TEXT NOT NULL DEFAULT '',  -- of a to-do: needs-action, in-process, completed, cancelled
    completed INTEGER,                  -- of a to-do: when it was done; NULL: not given
    percent INTEGER NOT NULL DEFAULT 0, -- of a to-do: 0 to 100
    priority INTEGER NOT NULL DEFAULT 0, -- of a to-do: 1 highest, 9 lowest, 0 none
    conference TEXT NOT NULL DEFAULT '' -- the https address of CONFERENCE
    """

  static let tables = """
    -- Numbers that stand for the whole database: "revision", the number of the last change;
    -- "zone NAME", the fingerprint of the zone data by which the alarms were planned, NAME being
    -- the agent's zone then; "alarms_through", the greatest of series.alarms_through, or a greater;
    -- "log_after", the revision after which `changes` is whole, where that is not 10,000 back;
    -- "staged_after" and "staged_calendars_after", see StagedChange;
    -- "turned_step" and "turned_at", the key of the step that is being turned in parts, and when that was begun;
    -- "hidden ID", since when a calendar is hidden;
    -- "passed" and "passed_at", see RetentionClock; "trash_octets", what the trash takes up, or more;
    -- "told_running", "told_day" and "unshown_missed", see DeliveryCheckpoint;
    -- "recovered_from", "recovered_incomplete" and "recovered_lost", see Recovery.
    CREATE TABLE meta (
      name TEXT PRIMARY KEY,
      value INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE calendars (
      key INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      \(calendarColumns)
    ) STRICT;

    -- All that one UID means in one calendar.
    CREATE TABLE series (
      key INTEGER PRIMARY KEY,
      calendar INTEGER NOT NULL REFERENCES calendars(key),
      uid TEXT NOT NULL,
      revision INTEGER NOT NULL,          -- of the last change
      alarms_through INTEGER NOT NULL,    -- alarms up to this instant are dealt with
      next_alarm INTEGER,                 -- first alarm after that; NULL: none
      is_unplaced INTEGER NOT NULL,       -- 1: its zone is not installed, so nothing is known
      content INTEGER NOT NULL DEFAULT 0, -- revision that wrote what it holds: after undo an old one
      first_minute INTEGER,               -- where it lies, if that is short; NULL: it is in spans
      last_minute INTEGER,                -- the same
      UNIQUE (calendar, uid)
    ) STRICT;
    CREATE INDEX series_by_minute ON series(first_minute, last_minute)
      WHERE first_minute IS NOT NULL;
    CREATE INDEX series_by_alarm ON series(next_alarm) WHERE next_alarm IS NOT NULL;

    -- One row a VEVENT, VTODO, VJOURNAL, VFREEBUSY or other component: the master first, then the
    -- overrides, in the order of their keys.
    CREATE TABLE components (
      key INTEGER PRIMARY KEY,
      series INTEGER NOT NULL REFERENCES series(key),
      \(componentColumns)
    ) STRICT;
    CREATE INDEX components_by_series ON components(series);
    CREATE INDEX components_by_kind ON components(kind, series) WHERE kind <> 'event';

    -- Where each series lies that is longer than three days, all its occurrences together: minutes since 1970-01-01T00:00Z, the last one included. Seconds
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

    -- By which rules of zones the alarms were planned; see PlannedRules. '' is the agent's zone.
    CREATE TABLE planned_zones (
      name TEXT PRIMARY KEY,              -- IANA name
      rules BLOB NOT NULL                 -- a TZif file
    ) STRICT, WITHOUT ROWID;

    -- Every reminder that fell due in the last year, and those that still wait. It holds what is
    -- shown, and outlives its event; see LedgerRetention.
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
      closed_by INTEGER,                  -- revision that ended it; NULL: no change of events did
      earlier TEXT NOT NULL DEFAULT '',   -- steps of before, if it came into a state again; see LedgerSteps
      zone TEXT NOT NULL DEFAULT '',      -- the agent's, by which trigger_at was found; '' if by none
      clock_name INTEGER NOT NULL DEFAULT 0,  -- what its alarm is known by in every zone; 0 if by nothing
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

    -- What the user can take back, and do again: the newest last, those taken back after the others.
    -- Where is_dropped is 2, its last part has not come, see StagedChange; 3 holds what waits for one.
    CREATE TABLE undo_steps (
      key INTEGER PRIMARY KEY,
      action TEXT NOT NULL,               -- add, update, remove, move, import, restore, calendar-...
      at INTEGER NOT NULL,                -- when it was made
      revision INTEGER NOT NULL,          -- of it, or of what took it back: its events are there
      is_undone INTEGER NOT NULL,
      octets INTEGER NOT NULL DEFAULT 0,  -- what its images and its names take up, about
      is_refused INTEGER NOT NULL DEFAULT 0,  -- 1: the last try met a conflict; it is passed over
      is_dropped INTEGER NOT NULL DEFAULT 0   -- 1: it is over, and what it kept is being cleared away
    ) STRICT;

    -- A series as it was on the other side of a step: before it, or after one that was taken
    -- back. Where there was none, there is no row. Those that were removed are the trash.
    CREATE TABLE series_images (
      key INTEGER PRIMARY KEY,
      step INTEGER REFERENCES undo_steps(key) ON DELETE SET NULL,  -- NULL: it is only in the trash
      calendar TEXT NOT NULL,
      uid TEXT NOT NULL,
      removed_at INTEGER,                 -- NULL: it was changed, or is taken back
      removed_on INTEGER,                 -- the same, as RetentionClock counts; NULL with it
      revision INTEGER NOT NULL DEFAULT 0,  -- of the change that came over it
      content INTEGER NOT NULL DEFAULT 0, -- as series.content
      alarms_through INTEGER,             -- as of series; NULL: none was due that was not taken
      place INTEGER                       -- series.key, the order of exports; NULL: not known
    ) STRICT;
    CREATE INDEX series_images_by_step ON series_images(step, removed_on);
    CREATE INDEX series_images_removed ON series_images(removed_on) WHERE removed_on IS NOT NULL;
    CREATE INDEX series_images_by_name ON series_images(uid, calendar) WHERE removed_on IS NOT NULL;

    CREATE TABLE component_images (
      key INTEGER PRIMARY KEY,
      image INTEGER NOT NULL REFERENCES series_images(key) ON DELETE CASCADE,
      \(componentColumns)
    ) STRICT;
    CREATE INDEX component_images_by_image ON component_images(image);

    -- A calendar as it was on the other side of a step.
    CREATE TABLE calendar_images (
      key INTEGER PRIMARY KEY,
      step INTEGER NOT NULL REFERENCES undo_steps(key) ON DELETE CASCADE,
      is_present INTEGER NOT NULL,        -- 0: there was none; the other columns say nothing
      id TEXT NOT NULL,
      \(calendarColumns)
    ) STRICT;
    CREATE INDEX calendar_images_by_step ON calendar_images(step);

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
    """
}
