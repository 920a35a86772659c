import DBus
import Glibc

/// A service that gives back what it was given last, laid out already: what a reply costs the bus and its reader, and
/// next to nothing who sends it. No agent that answers with as many octets can be faster.
final class EchoService {
  static let name: BusName = "org.datebook.Benchmarks.Echo"
  static let path: ObjectPath = "/org/datebook/Benchmarks/Echo"
  static let interface: InterfaceName = "org.datebook.Benchmarks.Echo"

  private static let table = InterfaceTable(
    "org.datebook.Benchmarks.Echo",
    methods: [
      .init("Keep", in: [.init("rows", "aa{sv}"), .init("rest", "s")]),
      .init("Give", out: [.init("rows", "aa{sv}"), .init("rest", "s")]),
    ])

  private var kept: (rows: EncodedRows, rest: [Value])

  init() throws { kept = (try EchoService.laidOut([]), [.string("")]) }

  /// Serves until the bus is gone, or somebody ends it.
  func run() throws {
    let connection = try Connection.session()
    let bound = BoundInterface(EchoService.table)
    bound.on("Keep") { [unowned self] call throws(DBusError) in
      kept = (try EchoService.laidOut(call.arguments[0].asArray ?? []), [call.arguments[1]])
      return .reply([])
    }
    bound.on("Give") { [unowned self] _ in .rows(kept.rows, kept.rest) }
    let server = ObjectServer(connection)
    server.register(EchoService.path, [bound])
    _ = try connection.requestName(EchoService.name)
    let loop = BlockingLoop()
    loop.add(connection)
    loop.run { !connection.isConnected }
    withExtendedLifetime(server) {}
  }

  private static func laidOut(_ rows: [Value]) throws(DBusError) -> EncodedRows {
    var writer = RowsWriter()
    for row in rows {
      writer.beginRow()
      for (key, value) in row.asRow ?? [] {
        let key = LaidOutKey(key, value.signature)
        switch value {
        case .string(let text): writer.add(key, text)
        case .int64(let number): writer.add(key, number)
        case .uint64(let number): writer.add(key, number)
        case .boolean(let flag): writer.add(key, flag)
        default:
          guard let texts = value.asStrings else {
            throw DBusError(.invalidArgs, "a row of occurrences has no \(value.signature)")
          }
          writer.add(key, texts)
        }
      }
      writer.endRow()
    }
    return try writer.finished()
  }
}
