/// The numbered migrations from the first schema to the current one.
///
/// The schema number of a database is in its header (`PRAGMA user_version`). A released migration
/// is never edited: a change of ``Schema`` adds a migration here, and a dump of the new schema to
/// the tests.
struct Migrations {
  /// `steps[0]` migrates from schema 1 to 2, and so on.
  let steps: [String]

  static let all = Migrations(steps: [
    // 2: the ends of rules with COUNT; missing ones are counted when needed.
    "ALTER TABLE components ADD COLUMN counted_ends TEXT NOT NULL DEFAULT ''",
    // 3: to-dos, journal entries, free/busy times. Existing rows are events.
    """
    ALTER TABLE components ADD COLUMN kind TEXT NOT NULL DEFAULT 'event';
    ALTER TABLE components ADD COLUMN anchor TEXT NOT NULL DEFAULT 'start';
    ALTER TABLE components ADD COLUMN progress TEXT NOT NULL DEFAULT '';
    ALTER TABLE components ADD COLUMN completed INTEGER;
    ALTER TABLE components ADD COLUMN percent INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE components ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX components_by_kind ON components(kind, series) WHERE kind <> 'event';
    """,
    undo,
    words,
    contents,
    reminderSteps,
    phases,
    foldedLetters,
    // 10: the address of CONFERENCE; known for existing events once they are written again.
    """
    ALTER TABLE components ADD COLUMN conference TEXT NOT NULL DEFAULT '';
    ALTER TABLE component_images ADD COLUMN conference TEXT NOT NULL DEFAULT '';
    """,
    // 11: VCALENDAR properties without a meaning here, which were dropped before.
    """
    ALTER TABLE calendars ADD COLUMN properties TEXT NOT NULL DEFAULT '';
    ALTER TABLE calendar_images ADD COLUMN properties TEXT NOT NULL DEFAULT '';
    """,
    // 12: the missed-reminder policy of a calendar. Alarms may now be snoozes of others, which
    // older versions cannot read.
    """
    ALTER TABLE calendars ADD COLUMN late_telling TEXT NOT NULL DEFAULT '';
    ALTER TABLE calendar_images ADD COLUMN late_telling TEXT NOT NULL DEFAULT '';
    """,
    // 13: search ignores diacritics of Greek, Cyrillic, Hebrew and Arabic, and whether letters are
    // composed: the index is filled again.
    foldedLetters,
    // 14: the agent's zone by which a reminder's instant was computed; unknown for existing ones.
    "ALTER TABLE reminders ADD COLUMN zone TEXT NOT NULL DEFAULT ''",
    // 15: the minutes of short series, in their rows.
    """
    ALTER TABLE series ADD COLUMN first_minute INTEGER;
    ALTER TABLE series ADD COLUMN last_minute INTEGER;
    UPDATE series SET first_minute = spans.first_minute, last_minute = spans.last_minute
    FROM spans WHERE spans.series = series.key
      AND spans.last_minute - spans.first_minute <= 4320
      AND -series.key NOT IN (SELECT series FROM spans WHERE series < 0);
    DELETE FROM spans WHERE series IN (SELECT key FROM series WHERE first_minute IS NOT NULL);
    CREATE INDEX series_by_minute ON series(first_minute, last_minute)
      WHERE first_minute IS NOT NULL;
    """,
    // 16: the wall-clock fingerprint of a reminder's alarm; unknown for existing reminders.
    "ALTER TABLE reminders ADD COLUMN clock_name INTEGER NOT NULL DEFAULT 0",
    // 17: the former key of removed series; unknown for existing ones.
    "ALTER TABLE series_images ADD COLUMN place INTEGER",
    // 18: no tables change. Older versions would not undo interrupted batches of imports.
    "",
    // 19: the zone rules by which alarms were planned. Removes what approximated them before.
    """
    CREATE TABLE planned_zones (
      name TEXT PRIMARY KEY,
      rules BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    DELETE FROM meta WHERE name = 'set_back' OR name GLOB 'defaults *';
    """,
    // 20: sources, from which calendars come.
    """
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
      UNIQUE (collection, href)
    ) STRICT;
    CREATE INDEX items_by_uid ON items(collection, uid);

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
    """,
    // 21: what was sent to sources, until its answer is known.
    """
    -- What was sent to a source whose answer is not known: it may have it or not.
    CREATE TABLE sent_items (
      collection INTEGER NOT NULL REFERENCES collections(key) ON DELETE CASCADE,
      href TEXT NOT NULL,
      uid TEXT NOT NULL,
      content INTEGER NOT NULL,           -- series.content when it was sent
      text TEXT NOT NULL,
      PRIMARY KEY (collection, href, content)
    ) STRICT, WITHOUT ROWID;
    """,
    // 22: the Schedule-Tag of items; known for existing ones once they are fetched again.
    "ALTER TABLE items ADD COLUMN schedule_tag TEXT NOT NULL DEFAULT ''",
  ])

  /// 8: the phases of series in the week and month.
  ///
  /// Existing series match any phase until they are written again.
  private static let phases = """
    CREATE TABLE old_spans AS SELECT series, first_minute, last_minute FROM spans;
    DROP TABLE spans;
    CREATE VIRTUAL TABLE spans USING rtree_i32(
      series, first_minute, last_minute, first_of_week, last_of_week, first_of_month, last_of_month
    );
    INSERT INTO spans SELECT series, first_minute, last_minute, 0, 10080, 0, 44640 FROM old_spans;
    DROP TABLE old_spans;
    """

  /// 9, 13: search finds "ß" as "ss", "ø" as "o", "ё" as "е", and so on: fills the index again.
  private static let foldedLetters = """
    INSERT INTO search (search) VALUES ('delete-all');
    INSERT INTO search (rowid, summary, location, description, attendees, categories)
    SELECT key, search_text(summary), search_text(location), search_text(description),
      search_people(organizer || attendees), search_items(categories)
    FROM components WHERE kind = 'event';
    """

  /// 7: each step of a reminder, not only the latest of each kind.
  ///
  /// Pending reminders of a hidden calendar now wait until it is shown. They count as closed when
  /// it was hidden, or at their last step if that was later.
  private static let reminderSteps = """
    ALTER TABLE reminders ADD COLUMN earlier TEXT NOT NULL DEFAULT '';
    UPDATE reminders
    SET state = 'closed', close_reason = 'calendar-hidden',
      closed_at = max(
        coalesce((SELECT value FROM meta WHERE name = 'hidden ' || calendar), trigger_at),
        coalesce(due_at, trigger_at), coalesce(delivered_at, trigger_at),
        coalesce(snoozed_at, trigger_at)),
      closed_by = (SELECT value FROM meta WHERE name = 'revision')
    WHERE state IN ('due', 'delivered', 'snoozed')
      AND calendar IN (SELECT id FROM calendars WHERE is_visible = 0);
    """

  /// 4: undo steps and the trash. Earlier changes cannot be undone.
  private static let undo = """
    CREATE TABLE undo_steps (
      key INTEGER PRIMARY KEY,
      action TEXT NOT NULL,
      at INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      is_undone INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE series_images (
      key INTEGER PRIMARY KEY,
      step INTEGER REFERENCES undo_steps(key) ON DELETE SET NULL,
      calendar TEXT NOT NULL,
      uid TEXT NOT NULL,
      removed_at INTEGER
    ) STRICT;
    CREATE INDEX series_images_by_step ON series_images(step, removed_at);
    CREATE INDEX series_images_removed ON series_images(removed_at) WHERE removed_at IS NOT NULL;
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
      priority INTEGER NOT NULL DEFAULT 0
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
      all_day_reminders TEXT NOT NULL
    ) STRICT;
    CREATE INDEX calendar_images_by_step ON calendar_images(step);
    """

  /// 5: the search index.
  private static let words = """
    CREATE VIRTUAL TABLE search USING fts5(
      summary, location, description, attendees, categories,
      content = '', tokenize = 'unicode61 remove_diacritics 2'
    );
    INSERT INTO search (rowid, summary, location, description, attendees, categories)
    SELECT key, search_text(summary), search_text(location), search_text(description),
      search_people(organizer || attendees), search_items(categories)
    FROM components WHERE kind = 'event';
    """

  /// 6: content revisions, which undo compares, in the rows themselves.
  ///
  /// The content revision of an existing event is that of the last sync in the log that touched it.
  private static let contents = """
    ALTER TABLE series ADD COLUMN content INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE reminders ADD COLUMN closed_by INTEGER;
    ALTER TABLE undo_steps ADD COLUMN octets INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE undo_steps ADD COLUMN is_refused INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE undo_steps ADD COLUMN is_dropped INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE series_images ADD COLUMN removed_on INTEGER;
    ALTER TABLE series_images ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE series_images ADD COLUMN content INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE series_images ADD COLUMN alarms_through INTEGER;
    DROP INDEX series_images_by_step;
    DROP INDEX series_images_removed;
    UPDATE series SET content = foreign_changes.last FROM (
      SELECT calendars.key AS calendar, uid, max(revision) AS last
      FROM changes JOIN calendars ON calendars.id = changes.calendar
      WHERE origin IN ('sync', 'external-file') GROUP BY 1, 2
    ) AS foreign_changes
    WHERE series.calendar = foreign_changes.calendar AND series.uid = foreign_changes.uid;
    UPDATE series_images SET removed_on = removed_at;
    UPDATE series_images SET revision = undo_steps.revision FROM undo_steps
    WHERE undo_steps.key = series_images.step;
    CREATE INDEX series_images_by_name ON series_images(uid, calendar);
    UPDATE series_images SET content = foreign_changes.last FROM (
      SELECT calendar, uid, max(revision) AS last FROM changes
      WHERE origin IN ('sync', 'external-file') GROUP BY 1, 2
    ) AS foreign_changes
    WHERE series_images.calendar = foreign_changes.calendar
      AND series_images.uid = foreign_changes.uid;
    DROP INDEX series_images_by_name;
    CREATE INDEX series_images_by_step ON series_images(step, removed_on);
    CREATE INDEX series_images_removed ON series_images(removed_on) WHERE removed_on IS NOT NULL;
    CREATE INDEX series_images_by_name ON series_images(uid, calendar) WHERE removed_on IS NOT NULL;
    UPDATE undo_steps SET octets = coalesce((
      SELECT sum(1000 + length(component) + length(description))
      FROM component_images JOIN series_images ON series_images.key = component_images.image
      WHERE series_images.step = undo_steps.key), 0);
    INSERT OR REPLACE INTO meta (name, value)
    SELECT 'passed', coalesce(max(removed_on), 0) FROM series_images;
    """

  /// The schema number after the last migration.
  var latest: Int { steps.count + 1 }

  func version(of database: Database) throws(StoreError) -> Int {
    Int(try database.integer("PRAGMA user_version"))
  }

  /// Checks that this version can read a database.
  ///
  /// - Throws: ``StoreError/newerVersion(path:found:known:)`` if its schema number is above
  ///   ``latest``.
  func checkVersion(of database: Database) throws(StoreError) {
    let version = try version(of: database)
    guard version <= latest else {
      throw .newerVersion(path: database.path, found: version, known: latest)
    }
  }

  func setVersion(_ version: Int, of database: Database) throws(StoreError) {
    try database.execute("PRAGMA user_version = \(version)")
  }

  /// Runs the missing migrations in one transaction, together with the new schema number.
  ///
  /// - Throws: ``StoreError``; then the database is as it was.
  func run(on database: Database) throws(StoreError) {
    let version = try version(of: database)
    guard version >= 1 else {
      throw .corrupt(
        path: database.path, detail: "it has our mark, but the schema number \(version)")
    }
    guard version < latest else { return }
    try database.transaction { () throws(StoreError) in
      for step in steps[(version - 1)...] { try database.execute(step) }
      try setVersion(latest, of: database)
    }
  }
}
