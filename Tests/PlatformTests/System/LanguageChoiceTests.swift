import Platform
import Testing

@Suite struct `The choice of a language` {
  struct Case: CustomTestStringConvertible, Sendable {
    let variables: [String: String]
    let setting: String
    let names: [String]

    init(_ variables: [String: String], setting: String = "", _ names: [String]) {
      (self.variables, self.setting, self.names) = (variables, setting, names)
    }

    var testDescription: String { "\(variables.sorted { $0.key < $1.key }) \(setting)" }
  }

  // Source: GNU gettext manual, "Locale Environment Variables" and "The LANGUAGE variable".
  static let cases = [
    Case([:], []),
    Case(["LANG": "zh_CN.UTF-8"], ["zh_CN.UTF-8"]),
    Case(["LANG": "zh_CN"], ["zh_CN"]),
    Case(["LANG": "zh"], ["zh", "zh_CN"]),
    Case(["LANG": "zh.UTF-8"], ["zh.UTF-8", "zh_CN"]),
    Case(["LANG": "zh_SG.UTF-8"], ["zh_SG.UTF-8", "zh_CN"]),
    Case(["LANG": "zh_TW.UTF-8"], ["zh_TW.UTF-8"]),
    Case(["LANG": "zh_HK"], ["zh_HK"]),
    Case(["LANG": "de_DE", "LC_MESSAGES": "zh_CN"], ["zh_CN"]),
    Case(["LANG": "de_DE", "LC_MESSAGES": "fr_FR", "LC_ALL": "zh_CN"], ["zh_CN"]),
    Case(["LANG": "de_DE", "LC_MESSAGES": "", "LC_ALL": ""], ["de_DE"]),
    Case(["LANG": "de_DE", "LC_TIME": "zh_CN"], ["de_DE"]),
    Case(["LANG": "de_DE", "LANGUAGE": "fr:zh:it"], ["fr", "zh", "zh_CN", "it"]),
    Case(["LANG": "de_DE", "LANGUAGE": ""], ["de_DE"]),
    Case(["LC_ALL": "zh_CN", "LANGUAGE": "de"], ["de"]),
    Case(["LANG": "C", "LANGUAGE": "zh_CN"], []),
    Case(["LANGUAGE": "zh_CN"], []),
    Case(["LC_ALL": "C.UTF-8", "LANGUAGE": "zh_CN"], ["zh_CN"]),
    Case(["LC_ALL": "POSIX", "LANG": "zh_CN"], []),
    // English has no catalogue; gettext itself would go on to the next one.
    Case(["LANG": "en_US.UTF-8", "LANGUAGE": "en_US:en:zh_CN"], []),
    Case(["LANG": "zh_CN", "LANGUAGE": "fr:en_GB:zh_CN"], ["fr"]),
    Case(["LANG": "de_DE", "LANGUAGE": "../x:zh_CN"], ["zh_CN"]),
    Case(["LANG": "de_DE", "LANGUAGE": "fr"], setting: "zh_CN", ["zh_CN"]),
    Case([:], setting: "zh_CN", ["zh_CN"]),
    Case(["LANG": "C"], setting: "zh-cn", ["zh_CN"]),
    Case(["LANG": "zh_CN"], setting: "en", []),
    Case(["LANG": "zh_CN", "LC_ALL": "C"], setting: "zh_CN", []),
    Case(["LANG": "zh_CN"], setting: "../../x", ["zh_CN"]),
  ]

  @Test(arguments: cases) func `the best catalogues come first`(_ item: Case) {
    let environment = ProcessEnvironment(item.variables)
    #expect(LanguageChoice.names(setting: item.setting, environment: environment) == item.names)
  }
}
