import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Phrases

/// The arguments of one call, which the object server has held against the
/// signature already.
struct CallArguments {
  let values: [Value]
  /// The unique name of whoever calls; nil where the call came over no bus.
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
      throw CallError(
        .invalidArguments,
        "\(name): \(number) is not from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Returns a closing dictionary of options, each held against the keys and
  /// signatures that the method knows.
  ///
  /// - Throws: ``CallError`` that names an unknown key with the nearest known
  ///   one, or the type that a key must have.
  func options(
    _ index: Int, _ name: String, _ known: [(key: RowKey, types: [Signature])]
  ) throws(CallError) -> Row {
    var row = Row()
    for (text, value) in values[index].asRow ?? [] {
      guard let entry = known.first(where: { $0.key.rawValue == text }) else {
        throw CallError(
          .invalidArguments, "\(name): " + unknownKey(text, among: known.map(\.key)))
      }
      guard entry.types.contains(value.signature) || value.isEmptyArray(of: entry.types) else {
        let expected = entry.types.map(\.text).joined(separator: " or ")
        throw CallError(
          .invalidArguments,
          "\(name): \"\(text)\" must be of type \(expected), not \(value.signature.text)")
      }
      guard row[entry.key] == nil else {
        throw CallError(.invalidArguments, "\(name): \"\(text)\" is given twice")
      }
      row.set(entry.key, value)
    }
    return row
  }
}

extension Value {
  /// An empty array says nothing about what would be in it, and some tools send
  /// every empty one as `av`.
  fileprivate func isEmptyArray(of types: [Signature]) -> Bool {
    guard case .array(_, let values) = self else { return false }
    return values.isEmpty && types.contains { $0.text.hasPrefix("a") }
  }
}

/// Says that there is no such key, and which one may be meant: the nearest, else which there are.
func unknownKey(_ text: String, among keys: [RowKey]) -> String {
  let known = keys.map(\.rawValue)
  let hint =
    nearest(text, among: known).map { ", did you mean \"\($0)\"?" }
    ?? "; there are \(known.joined(separator: ", "))"
  return "there is no key \"\(text)\"" + hint
}
