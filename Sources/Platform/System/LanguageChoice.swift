/// Which catalogues of texts a process may use.
package enum LanguageChoice {
  /// Returns the names of the catalogues to look for, the best first; empty means English.
  ///
  /// As gettext(3) does: the first of LC_ALL, LC_MESSAGES and LANG that is set is the locale. Unless
  /// it is "C", the list in LANGUAGE comes before it. A setting comes before all of them, except
  /// for LC_ALL=C, with which scripts ask for English.
  ///
  ///     LANG=zh_CN.UTF-8                          zh_CN.UTF-8
  ///     LANG=de_DE.UTF-8 LANGUAGE=fr:zh:en        fr zh zh_CN
  ///     LANG=C LANGUAGE=zh_CN                     English
  ///
  /// English is in no catalogue, so what comes after it in a list is left out.
  ///
  /// - Parameter setting: The setting `language`; empty for the session's.
  package static func names(setting: String, environment: ProcessEnvironment) -> [String] {
    if let all = environment.nonempty("LC_ALL"), isC(all) { return [] }
    if let name = name(setting) { return catalogues([name]) }
    let variables = ["LC_ALL", "LC_MESSAGES", "LANG"]
    guard let locale = variables.lazy.compactMap({ environment.nonempty($0) }).first, !isC(locale)
    else { return [] }
    let list = environment.nonempty("LANGUAGE")?.split(separator: ":").map(String.init) ?? []
    return catalogues(list.isEmpty ? [locale] : list)
  }

  /// Returns the name of a locale for a value of the setting, such as "zh_CN" for "zh-cn".
  ///
  /// - Returns: nil for other text; a path, for example, would leave the folder of the catalogues.
  package static func name(_ setting: String) -> String? {
    // An encoding, as in LANG, says nothing here.
    let setting = setting.prefix { $0 != "." }
    let isName = setting.utf8.allSatisfy { octet in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(octet | 0x20)
        || octet == UInt8(ascii: "_") || octet == UInt8(ascii: "-")
    }
    let parts = setting.split { $0 == "_" || $0 == "-" }
    guard isName, let language = parts.first, (2...3).contains(language.utf8.count) else {
      return nil
    }
    let others = parts.dropFirst().map { $0.utf8.count == 2 ? $0.uppercased() : String($0) }
    return ([language.lowercased()] + others).joined(separator: "_")
  }

  private static func isC(_ locale: String) -> Bool { locale == "C" || locale == "POSIX" }

  /// Returns the names up to the first that is English, with those that a catalogue serves, too.
  private static func catalogues(_ names: [String]) -> [String] {
    var result: [String] = []
    for name in names {
      let language = name.prefix { $0.isLetter }
      if language == "en" || isC(name) { break }
      if !name.contains("/") { result.append(name) }
      // Chinese without a territory, and that of Singapore, are written as in zh_CN; gettext itself
      // only goes from a territory to the language.
      let territory = name.dropFirst(language.count).prefix { $0 == "_" || $0.isLetter }
      if language == "zh", ["", "_SG", "_Hans", "_Hans_CN", "_Hans_SG"].contains(territory) {
        result.append("zh_CN")
      }
    }
    return result
  }
}
