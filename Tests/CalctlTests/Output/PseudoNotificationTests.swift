import DBus
import TestSupport
import Testing

/// What the agent shows in a notification of a reminder, with the catalogue of the generated
/// language.
@Suite struct `Notifications in a generated language` {
  @Test func `neither the text nor a button is English`() throws {
    let programs = try TranslatedPrograms.pseudo()
    let session = try Session(
      variables: ["LC_ALL": "C.UTF-8", "LANGUAGE": "xx"], programs: programs.path)
    let server = try PseudoNotifications(session.bus)
    _ = try session.add("T1", "in 3601s", "--reminder", "1h", "--url", "https://x.invalid/")
    try server.waitForOne()
    let words = UntranslatedWords(help: [])
    #expect(server.texts.count >= 4, "a title, a text and buttons: \(server.texts)")
    for text in server.texts { #expect(words.found(in: text, to: []) == [], "\(server.texts)") }
  }
}

/// A notification server that keeps the texts of what it is to show.
private final class PseudoNotifications {
  /// The title, the text, and the labels of the buttons.
  private(set) var texts: [String] = []
  private let loop = BlockingLoop()
  private let connection: Connection
  private let server: ObjectServer

  private static let table = InterfaceTable(
    "org.freedesktop.Notifications",
    methods: [
      .init(
        "Notify",
        in: [
          .init("app_name", "s"), .init("replaces_id", "u"), .init("app_icon", "s"),
          .init("summary", "s"), .init("body", "s"), .init("actions", "as"),
          .init("hints", "a{sv}"), .init("expire_timeout", "i"),
        ], out: [.init("id", "u")]),
      .init("GetCapabilities", out: [.init("capabilities", "as")]),
    ])

  init(_ bus: PrivateBus) throws {
    connection = try Connection(address: bus.address)
    loop.add(connection)
    server = ObjectServer(connection)
    let interface = BoundInterface(PseudoNotifications.table)
    interface.on("Notify") { [unowned self] call in
      let labels = (call.arguments[5].asStrings ?? []).enumerated().filter { $0.offset % 2 == 1 }
      texts += [call.arguments[3].asString ?? "", call.arguments[4].asString ?? ""]
      texts += labels.map(\.element)
      return .reply([.uint32(1)])
    }
    interface.on("GetCapabilities") { _ in .reply([.strings(["actions", "body"])]) }
    server.register("/org/freedesktop/Notifications", [interface])
    _ = try connection.requestName("org.freedesktop.Notifications")
  }

  /// - Throws: ``TestSupportError`` when there is none within a minute.
  func waitForOne() throws {
    guard loop.run(timeoutMilliseconds: 60_000, until: { !self.texts.isEmpty }) else {
      throw TestSupportError("no notification within a minute")
    }
  }
}
