/// Numbered steps from the first schema to this one.
///
/// The number of a database's schema is in its header (`PRAGMA user_version`).
/// What was released is never edited: a change of ``Schema`` comes with one more
/// step here, and with a dump of the new schema among the tests.
struct Migrations {
  /// `steps[0]` makes schema 2 of schema 1, and so on.
  let steps: [String]

  static let all = Migrations(steps: [
    // 2: the ends of rules with COUNT; where they are missing they are counted anew.
    "ALTER TABLE components ADD COLUMN counted_ends TEXT NOT NULL DEFAULT ''",
    // 3: to-dos, journal entries, free and busy times. What was there is events.
    """
    ALTER TABLE components ADD COLUMN kind TEXT NOT NULL DEFAULT 'event';
    ALTER TABLE components ADD COLUMN anchor TEXT NOT NULL DEFAULT 'start';
    ALTER TABLE components ADD COLUMN progress TEXT NOT NULL DEFAULT '';
    ALTER TABLE components ADD COLUMN completed INTEGER;
    ALTER TABLE components ADD COLUMN percent INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE components ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX components_by_kind ON components(kind, series) WHERE kind <> 'event';
    """,
  ])

  /// The number of the schema after the last step.
  var latest: Int { steps.count + 1 }

  func version(of database: Database) throws(StoreError) -> Int {
    Int(try database.integer("PRAGMA user_version"))
  }

  /// - Throws: ``StoreError/newerVersion(path:found:known:)`` for a schema after
  ///   the last one here.
  func checkVersion(of database: Database) throws(StoreError) {
    let version = try version(of: database)
    guard version <= latest else {
      throw .newerVersion(path: database.path, found: version, known: latest)
    }
  }

  func setVersion(_ version: Int, of database: Database) throws(StoreError) {
    try database.execute("PRAGMA user_version = \(version)")
  }

  /// Runs the steps that this database has not seen, each in a transaction of
  /// its own with its number, so that one that was interrupted runs again.
  ///
  /// - Throws: ``StoreError``; the steps before the failing one have happened.
  func run(on database: Database) throws(StoreError) {
    let version = try version(of: database)
    guard version >= 1 else {
      throw .corrupt(
        path: database.path, detail: "it has our mark, but the schema number \(version)")
    }
    for (index, step) in steps.enumerated() where index + 1 >= version {
      try database.transaction { () throws(StoreError) in
        try database.execute(step)
        try setVersion(index + 2, of: database)
      }
    }
  }
}
