/// What is to be done later, in the hands of a test.
final class Laters {
  private(set) var bodies: [Int: () -> Void] = [:]
  private var last = 0

  /// After how many milliseconds each was to be done.
  private(set) var milliseconds: [Int] = []

  /// Keeps something, and returns what ends that.
  func add(_ milliseconds: Int, _ body: @escaping () -> Void) -> (() -> Void) {
    last += 1
    let number = last
    bodies[number] = body
    self.milliseconds.append(milliseconds)
    return { self.bodies[number] = nil }
  }

  /// Does all of it, but for what comes of that.
  func run() {
    let all = bodies.sorted { $0.key < $1.key }
    bodies = [:]
    for (_, body) in all { body() }
  }
}
