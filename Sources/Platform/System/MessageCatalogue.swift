import CLinux
import Glibc
package import Messages

/// Returns a text for people in the user's language: the pattern's translation, or the English
/// itself, with its placeholders filled.
///
///     localized("Added {title}: {when}", ["title": title, "when": when])
package func localized(
  _ pattern: StaticString, _ values: KeyValuePairs<String, any UserTextContent> = [:]
) -> String {
  localized(UserText(pattern, values))
}

/// Returns a text that depends on a number in the user's language: `one` is the English for 1,
/// `other` for every other number; `{count}` in them is the number.
package func localized(
  _ count: Int, one: StaticString, other: StaticString,
  _ values: KeyValuePairs<String, any UserTextContent> = [:]
) -> String {
  localized(UserText(count, one: one, other: other, values))
}

/// Returns a text that a pure target made, in the user's language.
package func localized(_ text: UserText) -> String { MessageCatalogue.language.string(text) }

/// The catalogue of translated texts, which GNU gettext finds and reads.
package enum MessageCatalogue {
  /// The language of this process: that of the user's locale (LANGUAGE, LC_ALL, LC_MESSAGES, LANG)
  /// as far as a catalogue has it, and English for what it lacks. A program in `bin` has its
  /// catalogues in `share/locale/LANGUAGE/LC_MESSAGES/datebook.mo` next to it.
  ///
  /// Programs ask for it once before they start threads, since setlocale(3) is not safe with
  /// others.
  package static let language: Language = {
    let program = try? SystemCalls.linkTarget("/proc/self/exe")
    let bin = program.map { AtomicFile.split($0).directory } ?? "."
    return language(folder: bin + "/../share/locale")
  }()

  /// Returns the language of the locale with the catalogues of a folder.
  ///
  /// Source: gettext(3), bindtextdomain(3).
  private static func language(folder: String) -> Language {
    let domain = "datebook"
    // A locale that is not installed leaves "C", in which gettext translates nothing, not even
    // what LANGUAGE names.
    if setlocale(LC_MESSAGES, "") == nil { setlocale(LC_MESSAGES, "C.UTF-8") }
    bindtextdomain(domain, folder)
    bind_textdomain_codeset(domain, "UTF-8")
    // gettext answers with the text that it was given where it has no other, so that each answer is
    // copied while that still exists.
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

  /// Returns the code of the catalogue's language, "pt-BR" of `Language: pt_BR` in its header;
  /// that of English without a catalogue.
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
