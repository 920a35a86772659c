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

/// The catalogue of translated texts, read by GNU gettext.
package enum MessageCatalogue {
  /// The language of this process, from the user's locale (LANGUAGE, LC_ALL, LC_MESSAGES, LANG).
  ///
  /// English where the catalogue has no translation. A program in `bin` has its catalogues in
  /// `../share/locale/LANGUAGE/LC_MESSAGES/datebook.mo`.
  ///
  /// Programs must read it once before they start threads, since setlocale(3) is not thread-safe.
  package static let language: Language = {
    let program = try? SystemCalls.linkTarget("/proc/self/exe")
    let bin = program.map { AtomicFile.split($0).directory } ?? "."
    return language(folder: bin + "/../share/locale")
  }()

  /// Returns the language of the locale, with the catalogues in a folder.
  ///
  /// Source: gettext(3), bindtextdomain(3).
  private static func language(folder: String) -> Language {
    let domain = "datebook"
    // If the locale is not installed, setlocale(3) leaves "C", in which gettext translates nothing,
    // not even with LANGUAGE.
    if setlocale(LC_MESSAGES, "") == nil { setlocale(LC_MESSAGES, "C.UTF-8") }
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
