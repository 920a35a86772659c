import Testing

@Suite struct `Links of documents` {
  private let checkout = Checkout.here

  /// The Markdown files of the checkout.
  private func documents(below folder: String = ".") throws -> [String] {
    try checkout.names(in: folder).flatMap { name -> [String] in
      let path = folder == "." ? name : folder + "/" + name
      guard checkout.isFolder(path) else { return name.hasSuffix(".md") ? [path] : [] }
      // Other hidden folders are not ours.
      return name.hasPrefix(".") && name != ".github" ? [] : try documents(below: path)
    }
  }

  /// The name that GitHub gives a heading.
  private func anchor(_ heading: some StringProtocol) -> String {
    String(
      heading.lowercased().compactMap {
        $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" ? $0 : nil
      })
  }

  private func anchors(of document: String) throws -> [String] {
    try checkout.text(of: document).split(separator: "\n").filter { $0.hasPrefix("#") }.map {
      anchor($0.drop { $0 == "#" }.dropFirst())
    }
  }

  @Test func `links lead to what is in the checkout`() throws {
    let documents = try documents()
    #expect(documents.contains(".github/CONTRIBUTING.md"))
    var count = 0
    for name in documents {
      for part in try checkout.text(of: name).split(separator: "](").dropFirst() {
        let link = part.prefix { $0 != ")" }
        if link.hasPrefix("https://") { continue }
        count += 1
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        var path = name.split(separator: "/")
        if !parts[0].isEmpty {
          path.removeLast()
          for step in parts[0].split(separator: "/") {
            if step == ".." { _ = path.popLast() } else { path.append(step) }
          }
        }
        let target = path.joined(separator: "/")
        #expect(checkout.exists(target), "\(name): \(link)")
        if parts.count > 1, checkout.exists(target) {
          #expect(try anchors(of: target).contains(String(parts[1])), "\(name): \(link)")
        }
      }
    }
    #expect(count > 20)
  }
}
