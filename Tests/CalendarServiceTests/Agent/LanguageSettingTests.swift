import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `The setting of the language` {
  @Test(arguments: ["zh_CN", "zh-cn", "en", "pt_BR", "", "zh_CN.UTF-8"])
  func `a language is accepted, and so is none`(_ value: String) {
    #expect(Configuration.read("[calendar]\nlanguage = \(value)\n").1.isEmpty)
  }

  @Test(arguments: ["中文", "../x", "zh/CN", "c"])
  func `other text is a fault`(_ value: String) {
    let faults = Configuration.read("[calendar]\nlanguage = \(value)\n").1
    #expect(
      faults.map(\.reason) == [
        "language: \"\(value)\" must be a language such as zh_CN, or empty for the session's"
      ])
  }
}

@Suite struct `The setting of the clock` {
  @Test(arguments: [("12", false), ("24", true), ("auto", nil)] as [(String, Bool?)])
  func `it comes before the locale's`(_ value: String, _ usesTwentyFourHours: Bool?) {
    var defaults = Configuration()
    defaults.customs = TimeCustoms(territory: "US")
    let (read, faults) = Configuration.read("[calendar]\nclock = \(value)\n", over: defaults)
    #expect(faults.isEmpty)
    #expect(read.customs.usesTwentyFourHours == usesTwentyFourHours ?? false)
    #expect(read.customs.dateOrder == .monthDay)
  }

  @Test func `another value is a fault`() {
    #expect(
      Configuration.read("[calendar]\nclock = 24h\n").1.map(\.reason)
        == ["clock: \"24h\" is not 12, 24 or auto"])
  }

  @Test func `the agent's texts have the dates and times of its session`() throws {
    let agent = try AgentProcess(variables: ["LC_ALL": "en_US.UTF-8", "TZ": "Europe/Berlin"])
    try agent.start()
    let answer = try agent.call(
      Contract.events, "QuickParse", [.string("early shift 28 Mar 2027 2:30am")])
    #expect(
      Row(try #require(answer.last)).texts(.warnings) == [
        "the clock skips 2:30 am on Sun, Mar 28, 2027: the event begins at 3:30 am"
      ])
    #expect(try agent.terminate().status == .exited(0))
  }
}
