package import Messages

extension ItemDecision.Report {
  /// A sentence for people.
  ///
  /// - Parameter title: The title of the event.
  package func text(title: String) -> UserText {
    switch self {
    case .conflict(let properties, .local, _):
      UserText(
        """
        "{title}" was changed here and on the server ({properties}). Your edit was later and is \
        kept; the server's version is in the trash.
        """, ["title": title, "properties": words(for: properties)])
    case .conflict(let properties, .remote, _):
      UserText(
        """
        "{title}" was changed here and on the server ({properties}). The server's version is kept; \
        yours is in the trash.
        """, ["title": title, "properties": words(for: properties)])
    case .createdAgain:
      UserText(
        "\"{title}\" was deleted on the server but edited here. It is created there again.",
        ["title": title])
    case .deletionDropped:
      UserText(
        "\"{title}\" was deleted here but edited on the server. It is back.", ["title": title])
    }
  }
}

private func words(for properties: [String]) -> UserText {
  UserText.list(properties.map(word))
}

/// The word for a property; others are shown as they are called in the file.
private func word(for property: String) -> UserText {
  switch property {
  case "DTSTART": UserText("time")
  case "SUMMARY": UserText("title")
  case "LOCATION": UserText("place")
  case "DESCRIPTION": UserText("description")
  case "STATUS": UserText("status")
  case "VALARM": UserText("reminder")
  default: UserText(verbatim: property)
  }
}
