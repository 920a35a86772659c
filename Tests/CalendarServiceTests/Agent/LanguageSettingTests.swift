import Testing

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
