import JSON
import TestSupport
import Testing

/// The configuration of eww in packaging/examples, read as eww reads it: Debian 12 has no eww to
/// ask.
///
/// Source: github.com/elkowar/eww, `crates/yuck` (the lexer and the grammar) and "Widgets" of its documentation.
@Suite struct `The example for eww` {
  private static let folder =
    checkoutDirectory + "/"
    + "packaging/examples/bars"

  indirect enum Yuck: Equatable {
    case list([Yuck])
    case symbol(String)
    case keyword(String)
    /// A literal in quotes, without its escapes.
    case text(String)
    /// What stands in braces.
    case expression(String)
  }

  private struct TimeErrorHint: Error { let reason: String }

  /// Reads the forms of a file.
  private struct Reader {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    mutating func forms(closing: Character? = nil) throws -> [Yuck] {
      var found: [Yuck] = []
      while let next = rest.first {
        switch next {
        case " ", "\n", "\t": rest.removeFirst()
        case ";": rest = rest.drop { $0 != "\n" }
        case ")":
          guard closing == ")" else { throw TimeErrorHint(reason: "a ) too many") }
          rest.removeFirst()
          return found
        case "(":
          rest.removeFirst()
          found.append(.list(try forms(closing: ")")))
        case "\"": found.append(.text(try quoted()))
        case "{": found.append(.expression(try braces()))
        default:
          let word = rest.prefix { !" \n\t(){}[]".contains($0) }
          guard !word.isEmpty else { throw TimeErrorHint(reason: "\(next) begins nothing") }
          rest.removeFirst(word.count)
          found.append(next == ":" ? .keyword(String(word.dropFirst())) : .symbol(String(word)))
        }
      }
      guard closing == nil else { throw TimeErrorHint(reason: "a ) too few") }
      return found
    }

    private mutating func quoted() throws -> String {
      rest.removeFirst()
      var text = ""
      while let next = rest.popFirst() {
        if next == "\"" { return text }
        guard next == "\\" else {
          text.append(next)
          continue
        }
        guard let escaped = rest.popFirst() else { break }
        text.append(escaped)
      }
      throw TimeErrorHint(reason: "a text does not end")
    }

    private mutating func braces() throws -> String {
      rest.removeFirst()
      var quote: Character?
      var text = ""
      while let next = rest.popFirst() {
        if next == "}", quote == nil { return text }
        if let open = quote {
          if next == open { quote = nil }
        } else if "\"'`".contains(next) {
          quote = next
        }
        text.append(next)
      }
      throw TimeErrorHint(reason: "an expression does not end")
    }
  }

  /// What each widget takes of what the example gives to it.
  private static let attributes: [String: Set<String>] = [
    "deflisten": ["initial"], "defwindow": ["monitor", "geometry"],
    "geometry": ["width", "height", "anchor"], "eventbox": ["onscroll"],
    "box": ["class", "orientation", "tooltip"], "label": ["text", "limit-width"],
    "progress": ["visible", "value"], "button": ["visible", "onclick"],
  ]

  private func example() throws -> [Yuck] {
    let octets = try #require(readFile(Self.folder + "/eww.yuck"))
    var reader = Reader(String(decoding: octets, as: UTF8.self))
    return try reader.forms()
  }

  /// Every text, expression and widget, also those within.
  private func visit(_ forms: [Yuck], _ look: ([Yuck]) throws -> Void) rethrows {
    for case .list(let parts) in forms {
      try look(parts)
      try visit(parts, look)
    }
  }

  @Test func `has widgets that there are, each with attributes that it takes`() throws {
    var seen: Set<String> = []
    try visit(try example()) { parts in
      guard case .symbol(let name)? = parts.first else {
        Issue.record("a form begins with \(parts.prefix(1))")
        return
      }
      let known = try #require(Self.attributes[name], "there is no \(name)")
      seen.insert(name)
      for (place, part) in parts.enumerated() {
        guard case .keyword(let attribute) = part else { continue }
        #expect(known.contains(attribute), "\(name) has no \(attribute)")
        let value = place + 1 < parts.count ? parts[place + 1] : nil
        if case .keyword? = value { Issue.record("\(name): \(attribute) has no value") }
        #expect(value != nil)
      }
    }
    #expect(seen == Set(Self.attributes.keys))
  }

  @Test func `begins with a record that has every key that it uses`() throws {
    let forms = try example()
    guard case .list(let listen) = forms[0], case .text(let initial) = listen[3],
      case .text(let command) = listen[4]
    else {
      Issue.record("the file does not begin with a deflisten")
      return
    }
    #expect(listen[0...2] == [.symbol("deflisten"), .symbol("cal"), .keyword("initial")])
    #expect(command == "calctl bar --format eww --follow")
    let record = try JSONReader.value(of: Array(initial.utf8), maximumOctets: 10_000)
    var used: Set<String> = []
    visit(forms) { parts in
      for part in parts {
        let text: String
        switch part {
        case .text(let literal): text = literal
        case .expression(let expression): text = expression
        default: continue
        }
        for piece in text.split(separator: "cal.", omittingEmptySubsequences: false).dropFirst() {
          used.insert(String(piece.prefix { $0.isLetter || $0 == "_" }))
        }
      }
    }
    used.remove("")
    #expect(used == ["text", "tooltip", "state", "scheme", "percentage", "join_url"])
    for key in used { #expect(record[key] != nil, "the first record has no \(key)") }
  }

  @Test(arguments: ["(a", "(a))", "(a \"b)", "(a {b)"])
  func `and what eww cannot read is not read here`(_ text: String) {
    var reader = Reader(text)
    #expect(throws: TimeErrorHint.self) { try reader.forms() }
  }
}
