import TestSupport

@testable import CalendarStore

extension StoreFixture {
  /// Overwrites pages of a table or an index of a closed database, as a failing disk does.
  ///
  /// - Parameters:
  ///   - place: how many pages of its leaves come before the first that is spoiled.
  ///   - count: how many pages are spoiled.
  func spoil(_ name: String, from place: Int = 1, count: Int = 1) throws {
    let database = try database()
    let row = try Statement(
      """
      SELECT pageno FROM dbstat WHERE name = ?1 AND pagetype = 'leaf' ORDER BY pageno
      LIMIT ?2 OFFSET ?3
      """, in: database)
    row.bind(1, name)
    row.bind(2, Int64(count))
    row.bind(3, Int64(place))
    var pages: [Int64] = []
    while try row.step() { pages.append(row.integer(0)) }
    row.finalize()
    database.close()
    guard pages.count == count else { throw TestSupportError("\(name) has too few pages") }
    for page in pages { try overwrite(page: page, of: path) }
  }
}
