/// The components of a file, found by its lines alone, beside which what comes back of it is held: what is not mended
/// is to come back as it came.
package struct KeptComponents {
  /// What a reading or an import tells of the file.
  package typealias Remark = (word: String, uid: String, text: String)

  private let came: Set<[String]>
  private let cameWithoutUIDs: Set<[String]>
  private let cameWithoutRules: Set<[String]>
  private let lines: [String]
  private let uids: Set<String>
  private let mended: Set<String>
  private let withMendedRules: Set<String>
  private let told: Set<String>
  private let isEachMended: Bool
  private let isCrossed: Bool

  /// Whatever was mended is told by one of these, with the UID.
  private static let mends: Set<String> = [
    "bad-syntax", "control-character", "bad-encoding", "quoted-printable", "floating-in-zone",
    "vcalendar-rule", "end-before-start", "mismatched-end", "unexpected-end", "bad-date",
    "bad-time", "bad-period",
  ]

  /// nil for a file whose lines say something only once it is decoded.
  package init?(_ file: [UInt8], _ remarks: [Remark]) {
    guard String(validating: file, as: UTF8.self) != nil, !file.contains(0) else { return nil }
    came = Set(KeptComponents.components(of: file))
    cameWithoutUIDs = Set(came.map(KeptComponents.withoutUIDs))
    cameWithoutRules = Set(came.map(KeptComponents.withoutRules))
    lines = unfoldedByHand(file).map { String(decoding: $0, as: UTF8.self) }
    uids = Set(came.joined())
    mended = Set(remarks.filter { KeptComponents.mends.contains($0.word) }.map(\.uid))
    withMendedRules = Set(remarks.filter { $0.word == "lenient-rrule" }.map(\.uid))
    told = Set(remarks.map(\.uid))
    // Or once for the file, in which each event may have it then.
    isEachMended = remarks.contains {
      $0.word == "vcalendar-1.0"
        || ["floating-in-zone", "quoted-printable"].contains($0.word)
          && $0.text.contains("(reported once)")
    }
    // Behind a BEGIN or an END too many nothing is found by hand.
    isCrossed = remarks.contains { ["mismatched-end", "unexpected-end"].contains($0.word) }
  }

  /// Whether a component is one of the file as it stands there, but for what is told of it; an export gives a DTSTAMP
  /// to one that has none.
  ///
  /// - Parameter component: its lines, as of ``components(of:)``.
  package func has(_ component: [String], uid: String) -> Bool {
    let isGiven = component.contains("UID:\(uid)") && !uids.contains("UID:\(uid)")
    if isEachMended || mended.contains(uid) || isGiven && mended.contains("") { return true }
    var unstamped = component
    if let stamp = component.firstIndex(where: KeptComponents.isGivenStamp) {
      unstamped.remove(at: stamp)
    }
    return [component, unstamped].contains { lines in
      if isCrossed { return self.lines.firstRange(of: lines) != nil }
      return came.contains(lines)
        || isGiven && cameWithoutUIDs.contains(KeptComponents.withoutUIDs(lines))
        // Of a rule that was mended only its own line may differ.
        || withMendedRules.contains(uid)
          && cameWithoutRules.contains(KeptComponents.withoutRules(lines))
    }
  }

  /// Whether a line may be the DTSTAMP that an export, or an import, gives to what has none.
  private static func isGivenStamp(_ line: String) -> Bool {
    line.hasPrefix("DTSTAMP:") || line.hasPrefix("DTSTAMP;X-DATEBOOK-IMPORTED=TRUE:")
  }

  /// The components of the file that are not in what came back of it, and of whose UID nothing is told.
  package func missing(in returned: [[String]]) -> [[String]] {
    if isEachMended || isCrossed { return [] }
    let all = Set(returned.flatMap { [$0, $0.filter { !KeptComponents.isGivenStamp($0) }] })
    let withoutUIDs = Set(all.map(KeptComponents.withoutUIDs))
    return came.filter { component in
      guard let uid = component.first(where: { $0.uppercased().hasPrefix("UID:") }) else {
        return !withoutUIDs.contains(component) && !told.contains("")
      }
      return !all.contains(component) && !told.contains(String(uid.dropFirst(4)))
    }
  }

  /// The components of a calendar but for zones, each as its lines, with BEGIN and END as the RFC spells them.
  package static func components(of text: some Collection<UInt8>) -> [[String]] {
    var found: [[String]] = []
    var open: [String] = []
    var depth = 0
    for line in unfoldedByHand(text) {
      var text = String(decoding: line, as: UTF8.self)
      let isBegin = text.uppercased().hasPrefix("BEGIN:")
      let isEnd = text.uppercased().hasPrefix("END:")
      if isBegin || isEnd {
        text = text.uppercased()
        while text.last == " " { text.removeLast() }
      }
      if depth == 0 {
        guard isBegin, text != "BEGIN:VCALENDAR" else { continue }
        open = []
      }
      open.append(text)
      if isBegin { depth += 1 }
      if isEnd { depth -= 1 }
      if depth == 0, open[0] != "BEGIN:VTIMEZONE" { found.append(open) }
    }
    return found
  }

  private static func withoutUIDs(_ lines: [String]) -> [String] {
    lines.filter { !$0.uppercased().hasPrefix("UID:") }
  }

  private static func withoutRules(_ lines: [String]) -> [String] {
    lines.map { line in ["RRULE", "EXRULE"].first { line.uppercased().hasPrefix($0) } ?? line }
  }
}

/// The lines of a text: what any reader must find in it.
private func unfoldedByHand(_ text: some Collection<UInt8>) -> [[UInt8]] {
  var lines: [[UInt8]] = []
  for line in text.split(omittingEmptySubsequences: true, whereSeparator: { $0 == 10 || $0 == 13 })
  {
    if line.first == 0x20 || line.first == 0x09, !lines.isEmpty {
      lines[lines.count - 1] += line.dropFirst()
    } else {
      lines.append(Array(line))
    }
  }
  return lines
}
