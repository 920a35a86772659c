/// The texts of one row, side by side, so that they can be bound without a copy each.
struct RowTexts {
  private var octets: [UInt8] = []
  private var places: [(parameter: Int32, start: Int, end: Int)] = []

  /// Sets a parameter to a text.
  mutating func set(_ parameter: Int32, _ text: String) {
    var text = text
    text.withUTF8 { octets in set(parameter) { $0.append(contentsOf: octets) } }
  }

  /// Sets a parameter to the octets that `write` adds.
  mutating func set(_ parameter: Int32, _ write: (inout [UInt8]) -> Void) {
    let start = octets.count
    write(&octets)
    places.append((parameter, start, octets.count))
  }

  /// Runs a statement with these texts, and forgets them.
  ///
  /// - Parameter statement: every text parameter of it is among those that are set; the
  ///   others are bound already.
  /// - Throws: ``StoreError``.
  mutating func run(_ statement: Statement) throws(StoreError) {
    defer {
      octets.removeAll(keepingCapacity: true)
      places.removeAll(keepingCapacity: true)
    }
    let places = places
    let failure = octets.withUnsafeBufferPointer { octets -> StoreError? in
      for (parameter, start, end) in places {
        statement.bind(lent: UnsafeBufferPointer(rebasing: octets[start..<end]), to: parameter)
      }
      do throws(StoreError) {
        try statement.run()
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }
}
