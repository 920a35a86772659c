/// A form in which events are read, by the words of the contract.
enum ImportForm: String {
  case ics, csv

  /// What the names of files end with, and what each says.
  private static let forms: [(ending: String, form: ImportForm)] = [
    (".ics", .ics), (".ical", .ics), (".ifb", .ics), (".vcs", .ics), (".csv", .csv),
  ]

  /// All endings, for people.
  static let endings = forms.map(\.ending).joined(separator: ", ")

  /// The form that the name of a file says; nil for any other, at which the agent looks.
  init?(nameOf path: String) {
    let name = path.lowercased()
    guard let known = ImportForm.forms.first(where: { name.hasSuffix($0.ending) }) else {
      return nil
    }
    self = known.form
  }
}
