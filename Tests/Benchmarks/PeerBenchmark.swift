import Glibc

/// Expands the rules of a file of cases with us and with other engines, each a process of its own,
/// in turns; see main.swift.
///
/// The machine may slow down and speed up meanwhile: that is why all take turns at one rule, and why
/// medians and ratios are told, not the times of one run.
struct PeerBenchmark {
  private let path: String
  private var engines: [(name: String, command: String)]
  private var turns = 5
  private var milliseconds = "25"

  /// A driver that takes longer for one rule is out of it.
  private let mostSeconds = 10

  init(_ arguments: [String]) throws {
    guard let path = arguments.first else { throw UsageError(description: "no file of cases") }
    self.path = path
    engines = [("datebook", quoted(CommandLine.arguments[0]) + " rules")]
    var options = arguments.dropFirst()
    while let option = options.popFirst() {
      guard let value = options.popFirst() else {
        throw UsageError(description: "\(option) needs a value")
      }
      switch option {
      case "--turns": turns = max(1, Int(value) ?? turns)
      case "--min-ms": milliseconds = String(Int(value) ?? 25)
      case "--peer":
        let parts = value.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
          throw UsageError(description: "\(value) is no NAME=COMMAND")
        }
        engines.append((parts[0], parts[1]))
      default: throw UsageError(description: "unknown option \(option)")
      }
    }
    guard engines.count > 1 else { throw UsageError(description: "no --peer NAME=COMMAND") }
  }

  func run() throws {
    let cases = String(decoding: try contents(of: path), as: UTF8.self).split(separator: "\n")
      .map { $0.split(separator: "\t").map(String.init) }.filter { $0.count == 7 }
    var ratios = Ratios(peers: engines.dropFirst().map(\.name))
    print("rule\tinstances\tns an instance\tfastest peer\tits ns\tratio\tother answers")
    for fields in cases {
      let results = race(fields[0])
      guard let ours = results[0] else {
        throw UsageError(description: "no answer of our own to \(fields[0])")
      }
      let name = { (index: Int) in engines[index].name }
      let peers = results.indices.dropFirst()
      ratios.add(
        group: fields[1], peers.map { results[$0].map { $0.seconds / ours.seconds } })
      let fastest = peers.filter { results[$0] != nil }
        .min { results[$0]!.seconds < results[$1]!.seconds }
      let each = 1e9 / Double(max(1, ours.count))
      var columns = [fields[0], String(ours.count), shown(ours.seconds * each)]
      if let fastest, let its = results[fastest] {
        columns += [name(fastest), shown(its.seconds * each), shown(its.seconds / ours.seconds)]
      } else {
        columns += ["none in \(mostSeconds) s", "", ""]
      }
      let others = peers.filter { results[$0].map { $0.answer != ours.answer } ?? false }
      print((columns + [others.map(name).joined(separator: " ")]).joined(separator: "\t"))
      fflush(nil)
    }
    ratios.tell()
  }

  /// Returns what each engine needs for a rule, the median of its turns; nil for one that fails or
  /// is too slow.
  private func race(_ rule: String) -> [DriverAnswer?] {
    var answers = engines.map { _ in [DriverAnswer]() }
    var isOut = engines.map { _ in false }
    for _ in 0..<turns {
      for index in engines.indices where !isOut[index] {
        let answer = ask(engines[index].command, rule)
        if let answer { answers[index].append(answer) }
        // One turn tells enough of a slow one.
        isOut[index] = answer.map { $0.seconds > 1 } ?? true
      }
    }
    return answers.map { list in
      list.isEmpty ? nil : list.sorted { $0.seconds < $1.seconds }[list.count / 2]
    }
  }

  private func ask(_ command: String, _ rule: String) -> DriverAnswer? {
    let line =
      "timeout \(mostSeconds) \(command) \(quoted(path)) --case \(quoted(rule))"
      + " --min-ms \(milliseconds)"
    guard let pipe = popen(line, "r") else { return nil }
    defer { pclose(pipe) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = fread(&buffer, 1, buffer.count, pipe)
    return DriverAnswer(String(decoding: buffer[..<count], as: UTF8.self))
  }
}

/// What a driver prints of a rule.
private struct DriverAnswer {
  let count: Int
  /// Count and sum of the instances.
  let answer: String
  /// For one expansion.
  let seconds: Double

  init?(_ line: String) {
    let fields = line.split { $0 == "\t" || $0 == "\n" }.map(String.init)
    guard fields.count == 5, let count = Int(fields[1]), let repetitions = Double(fields[3]),
      repetitions > 0, let seconds = Double(fields[4])
    else { return nil }
    self.count = count
    answer = fields[1] + " " + fields[2]
    self.seconds = seconds / repetitions
  }
}

/// How many times our time the peers need, by group of rules.
private struct Ratios {
  let peers: [String]
  private var groups: [(name: String, ratios: [[Double?]])] = []

  init(peers: [String]) { self.peers = peers }

  /// - Parameter ratios: One for each peer; nil where it gave no answer.
  mutating func add(group: String, _ ratios: [Double?]) {
    if groups.last?.name == group {
      groups[groups.count - 1].ratios.append(ratios)
    } else {
      groups.append((group, [ratios]))
    }
  }

  /// Prints geometric means and the least of the ratios to the fastest peer.
  func tell() {
    print("\ngroup\trules\t" + peers.joined(separator: "\t") + "\tfastest of each rule\tleast")
    for (name, ratios) in groups {
      let means = peers.indices.map { peer in shown(mean(ratios.compactMap { $0[peer] })) }
      let fastest = ratios.compactMap { $0.compactMap { $0 }.min() }
      print(
        ([name, String(ratios.count)] + means + [shown(mean(fastest)), shown(fastest.min() ?? 0)])
          .joined(separator: "\t"))
    }
  }

  private func mean(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : exp(values.reduce(0) { $0 + log($1) } / Double(values.count))
  }
}

/// As one word of the shell.
private func quoted(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    + "'"
}
