internal import CSQLite

/// Copies rows from a query to a table of another database.
struct RowCopier {
  private let query: Statement
  private let insert: Statement
  private let columns: Int32

  /// Prepares a copy.
  ///
  /// - Parameter query: selects the key of each row first, then the columns.
  init(
    from query: String, in source: Database, to table: String, _ columns: [String],
    in target: Database
  ) throws(StoreError) {
    let places = (1...columns.count).map { "?\($0)" }.joined(separator: ", ")
    self.query = try Statement(query, in: source)
    insert = try Statement(
      "INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(places))",
      in: target)
    self.columns = Int32(columns.count)
  }

  /// Copies the rows in a range of keys, nil for all, up to one that cannot be read.
  ///
  /// - Returns: the first key that this row may have; nil if all rows were copied.
  /// - Throws: ``StoreError`` if the target cannot be written, such as ``StoreError/full(path:)``.
  func copy(_ range: ClosedRange<Int64>?) throws(StoreError) -> Int64? {
    if let range {
      query.bind(1, range.lowerBound)
      query.bind(2, range.upperBound)
    }
    var next = range?.lowerBound ?? 0
    defer { query.reset() }
    while true {
      do throws(StoreError) {
        guard try query.step() else { return nil }
        next = query.integer(0)
      } catch {
        return next
      }
      if next < .max { next += 1 }
      for column in 0..<columns { query.copy(column + 1, to: column + 1, of: insert) }
      do throws(StoreError) { try insert.run() } catch {
        // A row that violates a constraint was read from a damaged page.
        if case .failed(let code, _, _) = error, code & 0xff == SQLITE_CONSTRAINT { continue }
        throw error
      }
    }
  }

  func end() {
    query.finalize()
    insert.finalize()
  }
}
