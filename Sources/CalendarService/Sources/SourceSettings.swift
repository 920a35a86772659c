import CalendarBus
import CivilTime
import JSON
import Sync

/// What the user set for a source; stored as JSON, and without secrets.
struct SourceSettings: Equatable {
  let kind: RemoteRequest.Kind
  /// A URL, a host or an e-mail address; the path of a folder for `vdir`.
  let url: String
  var name = ""
  var user = ""
  /// A program with its arguments that prints the password; empty for the keyring.
  var passwordCommand: [String] = []
  /// A program with its arguments that prints a bearer token.
  var tokenCommand: [String] = []
  /// Of Google: the ID of the user's own client; empty where a program prints tokens.
  var clientID = ""
  /// The ID of an account of GNOME Online Accounts that has the secret; empty for none.
  var gnomeAccount = ""
  /// The path of a file of certificates to trust besides the system's; empty for none.
  var authorities = ""
  /// `sha256//BASE64` of the server's public key; empty for any.
  var pinnedKey = ""
  /// How often it is synchronised, in seconds.
  var interval: Int64
  /// How many days before today a media server is asked for.
  var daysBack: Int64 = 14
  /// How many days after today.
  var daysAhead: Int64 = 14
  /// The hrefs of the calendars to synchronise; nil for all.
  var chosen: [String]?
  /// Whether nothing is ever sent to the source.
  var isReadOnly = false
  /// Whether events with guests are sent to it, though it may write to the guests.
  var sendsGuests = false
  /// Whether the keyring has a secret for it.
  var hasSecret = false

  static let leastInterval: Int64 = 60

  init(kind: RemoteRequest.Kind, url: String) {
    self.kind = kind
    self.url = url
    interval =
      switch kind {
      case .caldav, .google, .vdir: 300
      case .webcal: 3600
      case .radarr, .sonarr, .lidarr: 900
      }
    isReadOnly = !kind.isTwoWay
  }

  static let sendGuests = "send"
  static let keepGuests = "keep"

  /// What is done with events that have guests, as a word of the contract.
  var guests: String { sendsGuests ? Self.sendGuests : Self.keepGuests }

  /// Whether the user signs in on a page of Google's.
  var signsInWithBrowser: Bool { kind == .google && tokenCommand.isEmpty }

  /// Whether the calendar of a collection is synchronised.
  func isChosen(_ href: String) -> Bool { chosen?.contains(href) ?? true }

  /// Whether the source answers what is changed here.
  var takesChanges: Bool { !isReadOnly }

  var json: JSONValue {
    [
      "url": .string(url), "name": .string(name), "user": .string(user),
      "password-command": .array(passwordCommand.map(JSONValue.string)),
      "token-command": .array(tokenCommand.map(JSONValue.string)),
      "client-id": .string(clientID), "gnome-account": .string(gnomeAccount),
      "authorities": .string(authorities), "pinned-key": .string(pinnedKey),
      "interval": .integer(interval), "days-back": .integer(daysBack),
      "days-ahead": .integer(daysAhead),
      "chosen": chosen.map { .array($0.map(JSONValue.string)) } ?? .null,
      "read-only": .bool(isReadOnly), "guests": .string(guests), "has-secret": .bool(hasSecret),
    ]
  }

  /// Reads what ``json`` wrote; nil if it is something else.
  init?(kind: String, _ json: JSONValue) {
    func texts(_ name: String) -> [String]? { json[name]?.arrayValue?.compactMap(\.stringValue) }
    guard let kind = RemoteRequest.Kind(rawValue: kind), let url = json["url"]?.stringValue else {
      return nil
    }
    self.init(kind: kind, url: url)
    name = json["name"]?.stringValue ?? ""
    user = json["user"]?.stringValue ?? ""
    passwordCommand = texts("password-command") ?? []
    tokenCommand = texts("token-command") ?? []
    clientID = json["client-id"]?.stringValue ?? ""
    gnomeAccount = json["gnome-account"]?.stringValue ?? ""
    authorities = json["authorities"]?.stringValue ?? ""
    pinnedKey = json["pinned-key"]?.stringValue ?? ""
    interval = json["interval"]?.integerValue ?? interval
    daysBack = json["days-back"]?.integerValue ?? daysBack
    daysAhead = json["days-ahead"]?.integerValue ?? daysAhead
    chosen = texts("chosen")
    isReadOnly = json["read-only"]?.boolValue ?? isReadOnly
    sendsGuests = json["guests"]?.stringValue == Self.sendGuests
    hasSecret = json["has-secret"]?.boolValue ?? false
  }

  /// Where the source is, for the program that asks it.
  ///
  /// - Parameter today: for the days that a media server is asked for.
  func access(secret: SourceSecret, today: CivilDate) -> RemoteAccess {
    var access = RemoteAccess(kind: kind, url: url)
    access.user = user
    access.secret = secret.text
    access.signIn = secret.isToken ? .bearer : .password
    access.authorities = authorities
    access.pinnedKey = pinnedKey
    access.firstDay = today.adding(days: Int(-daysBack))?.description ?? ""
    access.lastDay = today.adding(days: Int(daysAhead))?.description ?? ""
    return access
  }
}
