import JSON

/// A condition of `calctl on`: "calendar=work".
struct SignalMatch: Equatable {
  let key: String
  let value: String

  /// Returns nil for a text without "=" or without a key.
  init?(_ text: String) {
    guard let sign = text.firstIndex(of: "="), sign != text.startIndex else { return nil }
    key = String(text[..<sign])
    value = String(text[text.index(after: sign)...])
  }

  /// Returns whether a signal has the value, or a list with it.
  func holds(for signal: JSONValue) -> Bool {
    guard let found = signal[key] else { return false }
    return (found.arrayValue ?? [found]).contains { text(of: $0) == value }
  }

  private func text(of value: JSONValue) -> String {
    value.stringValue ?? JSONWriter.text(of: value)
  }
}
