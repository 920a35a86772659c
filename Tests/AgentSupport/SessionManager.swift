import CalendarBus
import DBus
import Platform
import TestSupport

@testable import CalendarService

/// systemd's manager of the user's services, as far as somebody asks it what programs begin with.
final class SessionManager {
  /// "NAME=value" each.
  var environment: [String]

  private let connection: Connection
  private let server: ObjectServer
  private let address: String
  private var idle: Connection?
  /// Where it answers, if that is not the agent's.
  private var ownLoop: EventLoop?
  private var answers = 0
  private static let table = InterfaceTable(
    SystemdManager.interface, properties: [.init("Environment", "as")])

  /// Comes to the agent's bus.
  ///
  /// - Parameter answers: whether it answers; else it is there and stands still.
  init(_ agent: AgentUnderTest, environment: [String] = [], answers: Bool = true) throws {
    self.environment = environment
    address = agent.bus.address
    connection = try Connection(address: agent.bus.address)
    server = ObjectServer(connection)
    let interface = BoundInterface(SessionManager.table)
    interface.get("Environment") { [unowned self] in
      self.answers += 1
      return .strings(self.environment)
    }
    server.register(SystemdManager.path, [interface])
    guard try connection.requestName(SystemdManager.service) == .owner else {
      throw TestSupportError("there is a manager already")
    }
    if answers { LoopAttachment.attach(connection, to: agent.loop) }
  }

  /// Answers the next question, which it has left lying until now; only where it does not answer by itself.
  func answer() throws {
    let loop = try ownLoop ?? EventLoop()
    if ownLoop == nil { LoopAttachment.attach(connection, to: loop) }
    ownLoop = loop
    let before = answers
    try loop.run { answers > before }
    connection.flush()
  }

  /// Is there from now on, and does not answer.
  func standStill() throws {
    try connection.releaseName(SystemdManager.service)
    // Nobody reads what comes to it.
    let idle = try Connection(address: address)
    guard try idle.requestName(SystemdManager.service) == .owner else {
      throw TestSupportError("there is a manager already")
    }
    self.idle = idle
  }
}
