import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Phrases
import Platform

/// The arguments of one call, which the object server has checked against the signature.
struct CallArguments {
  let values: [Value]
  /// The unique name of the caller; nil for a call that did not come over a bus.
  var caller: BusName?

  func text(_ index: Int) -> String { values[index].asString ?? "" }
  func number(_ index: Int) -> UInt32 { UInt32(clamping: values[index].asInteger ?? 0) }

  /// Returns a number within a range.
  ///
  /// - Throws: ``CallError`` that names the argument.
  func number(
    _ index: Int, _ name: String, in range: ClosedRange<UInt32>
  ) throws(CallError) -> UInt32 {
    let number = number(index)
    guard range.contains(number) else {
      throw CallError(.invalidArguments, about: name, notWithin(range, number))
    }
    return number
  }

  /// Returns a dictionary of options, checked against the keys and signatures of the method.
  ///
  /// - Throws: ``CallError`` that names an unknown key with the nearest known one, the type that a
  ///   key must have, or a duplicate key.
  func options(
    _ index: Int, _ name: String, _ known: [(key: RowKey, types: [Signature])]
  ) throws(CallError) -> Row {
    var row = Row()
    for (text, value) in values[index].asRow ?? [] {
      guard let entry = known.first(where: { $0.key.rawValue == text }) else {
        throw CallError(
          .invalidArguments, about: name, unknownKey(text, among: known.map(\.key)))
      }
      guard entry.types.contains(value.signature) || value.isEmptyArray(of: entry.types) else {
        let expected = localizedList(entry.types.map(\.text))
        throw CallError(
          .invalidArguments, about: name,
          entry.types.count == 1
            ? localized(
              "\"{key}\" must be of type {type}, not {given}",
              ["key": text, "type": expected, "given": value.signature.text])
            : localized(
              "\"{key}\" must be of one of the types {types}, not {given}",
              ["key": text, "types": expected, "given": value.signature.text]))
      }
      guard row[entry.key] == nil else {
        throw CallError(
          .invalidArguments, about: name, localized("duplicate key \"{key}\"", ["key": text]))
      }
      row.set(entry.key, value)
    }
    return row
  }
}

extension Value {
  /// Whether it is an empty array where an array is expected: some tools send each as `av`.
  fileprivate func isEmptyArray(of types: [Signature]) -> Bool {
    guard case .array(_, let values) = self else { return false }
    return values.isEmpty && types.contains { $0.text.hasPrefix("a") }
  }
}

/// Returns the message for an unknown key, with the nearest known one, or all of them.
func unknownKey(_ text: String, among keys: [RowKey]) -> String {
  let known = keys.map(\.rawValue)
  if let near = nearest(text, among: known) {
    return localized(
      "unknown key \"{key}\"; did you mean \"{near}\"?", ["key": text, "near": near])
  }
  return localized(
    "unknown key \"{key}\"; the keys are {keys}",
    ["key": text, "keys": localizedList(known)])
}
