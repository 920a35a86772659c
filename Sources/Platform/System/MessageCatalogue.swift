import CLinux
import Glibc
package import Messages

/// Returns a text for people in the user's language, or in English, with its placeholders filled.
///
///     localized("Added {title}: {when}", ["title": title, "when": when])
package func localized(
  _ pattern: StaticString, _ values: KeyValuePairs<String, any UserTextContent> = [:]
) -> String {
  localized(UserText(pattern, values))
}

/// Returns a text that depends on a number, in the user's language.
///
/// `one` is the English for 1, `other` for every other number; `{count}` in them is the number.
package func localized(
  _ count: Int, one: StaticString, other: StaticString,
  _ values: KeyValuePairs<String, any UserTextContent> = [:]
) -> String {
  localized(UserText(count, one: one, other: other, values))
}

/// Returns a text of a pure target in the user's language.
package func localized(_ text: UserText) -> String { MessageCatalogue.language.string(text) }

/// Returns a list of words or names for people, such as "a, b, c", with the language's separator.
package func localizedList(_ items: some Sequence<some UserTextContent>) -> String {
  localized(UserText.list(items))
}

/// Returns a paragraph of whole sentences for people, with the language's space between them.
package func localizedSentences(_ items: some Sequence<some UserTextContent>) -> String {
  localized(UserText.sentences(items))
}

/// Returns a list of clauses for people, such as "a; b; c", with the language's separator.
package func localizedClauses(_ items: some Sequence<some UserTextContent>) -> String {
  localized(UserText.clauses(items))
}

/// The catalogue of translated texts, read by GNU gettext.
package enum MessageCatalogue {
  /// The language of this process: the setting `language` in the section [calendar] of
  /// datebook.conf, or else the session's (LANGUAGE, LC_ALL, LC_MESSAGES, LANG).
  ///
  /// English where the catalogue has no translation. A program in `bin` has its catalogues in
  /// `../share/locale/LANGUAGE/LC_MESSAGES/datebook.mo`.
  ///
  /// Programs must read it once before they start threads, since neither setlocale(3) nor setenv(3)
  /// is thread-safe.
  package static let language: Language = {
    let program = try? SystemCalls.linkTarget("/proc/self/exe")
    let bin = program.map { AtomicFile.split($0).directory } ?? "."
    let environment = ProcessEnvironment.current
    return language(
      names: LanguageChoice.names(
        setting: SettingsText.value(ofCalendar: "language", environment), environment: environment),
      folder: bin + "/../share/locale")
  }()

  /// Returns the first language that has a catalogue in a folder.
  ///
  /// Source: gettext(3), bindtextdomain(3).
  private static func language(names: [String], folder: String) -> Language {
    let domain = "datebook"
    if names.isEmpty {
      setlocale(LC_MESSAGES, "C")
    } else {
      setenv("LANGUAGE", names.joined(separator: ":"), 1)
      // In "C" gettext translates nothing, not even with LANGUAGE; setlocale(3) leaves it if the
      // locale is not installed, and the setting asks for a language in it, too.
      let locale = setlocale(LC_MESSAGES, "").map { String(cString: $0) }
      if locale == nil || locale == "C" { setlocale(LC_MESSAGES, "C.UTF-8") }
    }
    bindtextdomain(domain, folder)
    bind_textdomain_codeset(domain, "UTF-8")
    // The reasons of strerror(3); the encoding of LC_CTYPE, which stays "C", lacks their letters.
    bind_textdomain_codeset("libc", "UTF-8")
    // gettext may return the pointer that it was given, so the answer is copied at once.
    return Language(
      code: code(domain),
      translation: { pattern in
        // The empty pattern is the header of the catalogue.
        guard !pattern.isEmpty else { return "" }
        return pattern.withCString { String(cString: dgettext(domain, $0)) }
      },
      pluralTranslation: { one, other, count in
        one.withCString { one in
          other.withCString { other in
            String(cString: dngettext(domain, one, other, UInt(count.magnitude)))
          }
        }
      })
  }

  /// Returns the code of the catalogue's language, such as "pt-BR" for `Language: pt_BR`.
  ///
  /// It is in the catalogue's header; without a catalogue it is English.
  ///
  /// Source: GNU gettext manual, "Header Entry".
  private static func code(_ domain: String) -> String {
    let header = dgettext(domain, "").map { String(cString: $0) } ?? ""
    let field = "Language:"
    let line = header.split(separator: "\n").first { $0.hasPrefix(field) }
    let name = line?.dropFirst(field.count).split(separator: " ").first ?? ""
    let code = String(name.prefix { $0 != "." && $0 != "@" }.replacing("_", with: "-"))
    return code.isEmpty ? Language.english.code : code
  }
}
