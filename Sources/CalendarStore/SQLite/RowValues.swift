/// The values of one row; texts are in one buffer, so that they can be bound without copies.
///
/// It needs no database, so rows can be prepared before they are written.
struct RowValues: Sendable {
  private var octets: [UInt8] = []
  private var texts: [(parameter: Int32, start: Int, end: Int)] = []
  private var numbers: [(parameter: Int32, value: Int64?)] = []

  /// Sets a parameter to a text.
  mutating func set(_ parameter: Int32, _ text: String) {
    var text = text
    text.withUTF8 { octets in set(parameter) { $0.append(contentsOf: octets) } }
  }

  /// Sets a parameter to the bytes that `write` appends.
  mutating func set(_ parameter: Int32, _ write: (inout [UInt8]) -> Void) {
    let start = octets.count
    write(&octets)
    texts.append((parameter, start, octets.count))
  }

  /// Sets a parameter to a number, or to NULL.
  mutating func set(_ parameter: Int32, _ number: Int64?) {
    numbers.append((parameter, number))
  }

  /// Whether a parameter is set to this text.
  func holds(_ text: UnsafeBufferPointer<UInt8>, as parameter: Int32) -> Bool {
    texts.contains { one in
      one.parameter == parameter && octets[one.start..<one.end].elementsEqual(text)
    }
  }

  /// Removes all values, but keeps the capacity.
  mutating func clear() {
    octets.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
  }

  /// Reserves capacity, so that the buffers grow only once.
  mutating func reserve(octets: Int, texts: Int, numbers: Int) {
    self.octets.reserveCapacity(octets)
    self.texts.reserveCapacity(texts)
    self.numbers.reserveCapacity(numbers)
  }

  /// Runs a statement with these values.
  ///
  /// - Parameter statement: all its text parameters are set here; number parameters that are not
  ///   set here are bound already.
  /// - Throws: ``StoreError`` if the statement fails.
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
