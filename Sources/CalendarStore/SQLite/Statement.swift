import CSQLite

/// One prepared SQL statement: bind, step, read.
///
/// Parameters are numbered from 1, columns from 0, as in SQLite. The ``Database`` caches
/// statements. Whoever steps one to a row resets it when done, to end its read transaction.
final class Statement {
  private let handle: OpaquePointer
  private unowned let database: Database

  /// Prepares a statement.
  ///
  /// - Throws: ``StoreError/failed(code:message:sql:)`` if SQLite rejects the SQL, or another
  ///   ``StoreError`` when the schema cannot be read.
  init(_ sql: String, in database: Database) throws(StoreError) {
    var prepared: OpaquePointer?
    var sql = sql
    let code = sql.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) {
        sqlite3_prepare_v3(
          database.handle, $0.baseAddress, Int32($0.count), UInt32(SQLITE_PREPARE_PERSISTENT),
          &prepared, nil)
      }
    }
    guard code == SQLITE_OK, let prepared else {
      throw database.error(code, sql: sql)
    }
    handle = prepared
    self.database = database
  }

  func finalize() {
    sqlite3_finalize(handle)
  }

  // MARK: Binding

  func bind(_ index: Int32, _ value: Int64) {
    sqlite3_bind_int64(handle, index, value)
  }

  func bind(_ index: Int32, _ value: Int64?) {
    if let value { bind(index, value) } else { sqlite3_bind_null(handle, index) }
  }

  func bind(_ index: Int32, _ value: Bool) {
    sqlite3_bind_int(handle, index, value ? 1 : 0)
  }

  /// Binds text, which SQLite copies. Empty text is '', never NULL.
  func bind(_ index: Int32, _ value: String) {
    var value = value
    value.withUTF8 { bind(index, $0) }
  }

  func bind(_ index: Int32, _ value: String?) {
    if let value { bind(index, value) } else { sqlite3_bind_null(handle, index) }
  }

  /// Binds text given as UTF-8.
  func bind(_ index: Int32, _ text: UnsafeBufferPointer<UInt8>) {
    text.withMemoryRebound(to: CChar.self) {
      _ = datebook_sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count))
    }
  }

  /// Binds UTF-8 text without a copy: it must stay valid until the statement has run.
  ///
  /// Bind it again before the next run.
  func bind(lent text: UnsafeBufferPointer<UInt8>, to index: Int32) {
    text.withMemoryRebound(to: CChar.self) {
      _ = datebook_sqlite3_bind_lent_text(handle, index, $0.baseAddress, Int32($0.count))
    }
  }

  /// Binds a BLOB; SQLite copies it.
  func bind(octets: [UInt8], to index: Int32) {
    octets.withUnsafeBytes {
      _ = datebook_sqlite3_bind_octets(handle, index, $0.baseAddress, Int32($0.count))
    }
  }

  /// Binds a column of this statement's current row to a parameter of another statement.
  func copy(_ column: Int32, to index: Int32, of other: Statement) {
    sqlite3_bind_value(other.handle, index, sqlite3_column_value(handle, column))
  }

  // MARK: Running

  /// Steps to the next row; false if there are no more.
  ///
  /// - Throws: ``StoreError``; then the statement is reset.
  func step() throws(StoreError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    let error = database.error(code, sql: String(cString: sqlite3_sql(handle)))
    sqlite3_reset(handle)
    throw error
  }

  /// Runs the statement to its end, and resets it.
  func run() throws(StoreError) {
    while try step() {}
    reset()
  }

  /// Returns the first column of all rows, and resets it.
  func integers() throws(StoreError) -> [Int64] {
    defer { reset() }
    var found: [Int64] = []
    while try step() { found.append(integer(0)) }
    return found
  }

  /// Ends reading; the parameters stay bound.
  func reset() {
    sqlite3_reset(handle)
  }

  // MARK: Reading

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func optionalInteger(_ column: Int32) -> Int64? {
    isNull(column) ? nil : integer(column)
  }

  func bool(_ column: Int32) -> Bool { sqlite3_column_int(handle, column) != 0 }

  func text(_ column: Int32) -> String {
    String(decoding: bytes(column), as: UTF8.self)
  }

  func optionalText(_ column: Int32) -> String? {
    isNull(column) ? nil : text(column)
  }

  /// Returns the UTF-8 of a text column, valid until the next step or reset.
  func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    guard let text = sqlite3_column_text(handle, column) else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    return UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// Returns the bytes of a BLOB.
  func octets(_ column: Int32) -> [UInt8] {
    let start = sqlite3_column_blob(handle, column)
    return Array(
      UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }
}
