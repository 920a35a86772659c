import CalendarBus
import DBus
import Platform
import Sync

/// Reads the options of Sync.Add and the changes of Sync.Edit.
extension SourceSettings {
  /// The keys of options, with their types.
  static let options: [(key: RowKey, types: [Signature])] = [
    (.name, ["s"]), (.user, ["s"]), (.secret, ["s"]), (.passwordCommand, ["as"]),
    (.tokenCommand, ["as"]), (.clientID, ["s"]),
    (.gnomeAccount, ["s"]), (.authorities, ["s"]), (.pinnedKey, ["s"]), (.interval, ["u"]),
    (.daysBack, ["u"]), (.daysAhead, ["u"]), (.chosen, ["as"]), (.readOnly, ["b"]),
    (.guests, ["s"]),
  ]

  /// - Throws: ``CallError`` of the kind `invalidArguments` that names the argument.
  init(kind text: String, url: String, options: Row) throws(CallError) {
    guard let kind = RemoteRequest.Kind(rawValue: text) else {
      throw CallError(
        .invalidArguments, about: "kind",
        notOneOf(RemoteRequest.Kind.allCases.map(\.rawValue), text))
    }
    guard kind == .google || url.contains(where: { !$0.isWhitespace }) else {
      throw CallError(.invalidArguments, about: "url", localized("must not be empty"))
    }
    // A password in a URL would be stored, listed and logged.
    guard !Self.hasUser(url) else {
      throw CallError(
        .invalidArguments, about: "url",
        localized("must not have a user or a password; use their options"))
    }
    self.init(kind: kind, url: url)
    try change(options)
    if name.isEmpty { name = Self.name(of: url, kind) }
    guard !signsInWithBrowser || !clientID.isEmpty else {
      throw CallError(
        .invalidArguments, about: "client-id",
        localized("Google wants a client of your own; datebookd(1) says how to get one"))
    }
  }

  /// - Throws: ``CallError`` of the kind `invalidArguments` that names the key.
  mutating func change(_ options: Row) throws(CallError) {
    if let text = options[.name]?.asString { name = try CalendarComposer.name(text) }
    user = options[.user]?.asString ?? user
    passwordCommand = try command(.passwordCommand, options) ?? passwordCommand
    tokenCommand = try command(.tokenCommand, options) ?? tokenCommand
    gnomeAccount = options[.gnomeAccount]?.asString ?? gnomeAccount
    guard gnomeAccount.isEmpty || kind == .caldav else {
      throw CallError(
        .invalidArguments, about: "gnome-account",
        localized("only a source of the kind caldav has one"))
    }
    clientID = options[.clientID]?.asString ?? clientID
    authorities = options[.authorities]?.asString ?? authorities
    if let key = options[.pinnedKey]?.asString {
      guard key.isEmpty || key.hasPrefix("sha256//") else {
        throw CallError(
          .invalidArguments, about: "pinned-key",
          localized("\"{value}\" is not sha256//BASE64", ["value": key]))
      }
      pinnedKey = key
    }
    if let seconds = options[.interval]?.asInteger {
      guard seconds >= Self.leastInterval else {
        throw CallError(
          .invalidArguments, about: "interval",
          localized(
            Int(seconds), one: "{count} second is too short; use at least {least}",
            other: "{count} seconds are too short; use at least {least}",
            ["least": Int(Self.leastInterval)]))
      }
      interval = seconds
    }
    daysBack = min(options[.daysBack]?.asInteger ?? daysBack, 366)
    daysAhead = min(options[.daysAhead]?.asInteger ?? daysAhead, 366)
    // None would be a source without a use.
    if let hrefs = options[.chosen]?.asStrings { chosen = hrefs.isEmpty ? nil : hrefs }
    isReadOnly = options[.readOnly]?.asBoolean ?? isReadOnly
    if let word = options[.guests]?.asString {
      guard [Self.sendGuests, Self.keepGuests].contains(word) else {
        throw CallError(
          .invalidArguments, about: "guests", notOneOf([Self.sendGuests, Self.keepGuests], word))
      }
      sendsGuests = word == Self.sendGuests
    }
  }

  private func command(_ key: RowKey, _ options: Row) throws(CallError) -> [String]? {
    guard let words = options[key]?.asStrings else { return nil }
    guard words.first?.hasPrefix("/") ?? true else {
      throw CallError(
        .invalidArguments, about: key.rawValue,
        localized("\"{program}\" is no full path of a program", ["program": words[0]]))
    }
    return words
  }

  /// Whether the user has named it and it has one calendar, which then has that name.
  var hasOwnName: Bool {
    !kind.isTwoWay && name != Self.name(of: url, kind)
  }

  /// Whether a URL has a user, perhaps with a password; an e-mail address has none.
  private static func hasUser(_ url: String) -> Bool {
    let scheme = url.firstRange(of: "//")
    let rest = scheme.map { url[$0.upperBound...] } ?? url[...]
    let authority = rest.prefix { !"/?#".contains($0) }
    guard let at = authority.firstIndex(of: "@") else { return false }
    return scheme != nil || rest.count > authority.count || authority[..<at].contains(":")
  }

  /// "cloud.example.org", or the name of a folder.
  private static func name(of url: String, _ kind: RemoteRequest.Kind) -> String {
    if kind == .google { return "Google" }
    let parts = url.split(separator: "/").filter { !$0.hasSuffix(":") }
    let part = kind == .vdir ? parts.last : parts.first
    let name = part.map { String($0.split(separator: "@").last ?? $0) } ?? url
    return String(name.prefix(100))
  }
}
