/// The values of one row: its texts side by side, so that they can be bound without a copy each,
/// and its numbers.
///
/// It knows nothing of a database, so that a row can be made ready before it is written.
struct RowValues: Sendable {
  private var octets: [UInt8] = []
  private var texts: [(parameter: Int32, start: Int, end: Int)] = []
  private var numbers: [(parameter: Int32, value: Int64?)] = []

  /// Sets a parameter to a text.
  mutating func set(_ parameter: Int32, _ text: String) {
    var text = text
    text.withUTF8 { octets in set(parameter) { $0.append(contentsOf: octets) } }
  }

  /// Sets a parameter to the octets that `write` adds.
  mutating func set(_ parameter: Int32, _ write: (inout [UInt8]) -> Void) {
    let start = octets.count
    write(&octets)
    texts.append((parameter, start, octets.count))
  }

  /// Sets a parameter to a number, or to NULL.
  mutating func set(_ parameter: Int32, _ number: Int64?) {
    numbers.append((parameter, number))
  }

  /// Whether a parameter was set to this text.
  func holds(_ text: UnsafeBufferPointer<UInt8>, as parameter: Int32) -> Bool {
    texts.contains { one in
      one.parameter == parameter && octets[one.start..<one.end].elementsEqual(text)
    }
  }

  /// Forgets what was set, and keeps the room for others.
  mutating func clear() {
    octets.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
  }

  /// Makes room for so much, so that a row grows once.
  mutating func reserve(octets: Int, texts: Int, numbers: Int) {
    self.octets.reserveCapacity(octets)
    self.texts.reserveCapacity(texts)
    self.numbers.reserveCapacity(numbers)
  }

  /// Runs a statement with these values.
  ///
  /// - Parameter statement: every text parameter of it is among those that are set; the
  ///   numbers that are not are bound already.
  /// - Throws: ``StoreError``.
  func run(_ statement: Statement) throws(StoreError) {
    for (parameter, value) in numbers { statement.bind(parameter, value) }
    let failure = octets.withUnsafeBufferPointer { octets -> StoreError? in
      for (parameter, start, end) in texts {
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
