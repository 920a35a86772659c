import JSON
import TestSupport

@testable import AgentSupport

/// A server between an agent and its calendar server that breaks off, delays, doubles and refuses at
/// random; see faultproxy.py.
final class FaultProxy {
  /// A request that it was sent.
  struct Request {
    let method: String
    let path: String
    /// A hash.
    let body: String
    /// What the server answered; 0: it was not asked.
    let status: Int64
    let fault: String
    /// Whether it asks for a full listing.
    let isFull: Bool
  }

  let url: String
  private let folder: TemporaryDirectory
  private let program: Subprocess
  /// How many requests were taken.
  private var taken = 0

  /// All faults that it can make.
  static let allFaults = [
    "lost-request", "lost-answer", "cut", "delay", "doubled", "twice", "413", "429", "500", "503",
    "507", "late-500", "late-412", "other-etag",
  ]

  /// - Parameter percent: of the requests are answered with a fault.
  init(
    _ server: CalendarServer, seed: UInt64 = 0, percent: Int = 25, faults: [String] = allFaults
  ) throws {
    folder = try TemporaryDirectory()
    let script = String(#filePath.dropLast("FaultProxy.swift".count)) + "faultproxy.py"
    program = try Subprocess(
      "python3", [script, "\(server.port)", folder.path, "\(seed)", "\(percent)"] + faults)
    try program.wait { $0.output.contains(0x0A) }
    let line = String(decoding: program.output.prefix { $0 != 0x0A }, as: UTF8.self)
    guard Int(line) != nil else {
      throw TestSupportError("the proxy does not start: \(program.outcome.errors)")
    }
    url = "http://127.0.0.1:\(line)/"
  }

  deinit {
    // Before its folder goes, where it would still write.
    program.terminate(signal: 9)
    _ = try? program.wait()
  }

  /// Makes no faults, or makes them again.
  func setCalm(_ isCalm: Bool) throws { try set("calm", isCalm) }

  /// Ends each connection at once, or no more.
  func setOffline(_ isOffline: Bool) throws { try set("offline", isOffline) }

  /// Holds back the answers to PUT, which the server has carried out, or no more.
  func setHeld(_ isHeld: Bool) throws { try set("held", isHeld) }

  private func set(_ name: String, _ isSet: Bool) throws {
    if isSet { try folder.write("", to: name) } else { try folder.removeFile(name) }
  }

  var requests: [Request] { requests(from: 0) }

  /// Those since the last time.
  func takeRequests() -> [Request] {
    let requests = requests(from: taken)
    taken += requests.count
    return requests
  }

  private func requests(from first: Int) -> [Request] {
    String(decoding: folder.read("requests") ?? [], as: UTF8.self).split(separator: "\n")
      .dropFirst(first).compactMap { line in
        guard let json = try? JSONReader.value(of: String(line), maximumOctets: 1 << 16) else {
          return nil
        }
        func text(_ name: String) -> String { json[name]?.stringValue ?? "" }
        return Request(
          method: text("method"), path: text("path"), body: text("body"),
          status: json["status"]?.integerValue ?? 0, fault: text("fault"),
          isFull: json["full"]?.boolValue ?? false)
      }
  }
}
