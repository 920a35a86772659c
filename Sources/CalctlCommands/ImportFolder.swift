import Platform
import Widgets

/// A file to import.
struct ImportFile {
  let path: String
  /// The calendar that its folder is; nil where that is none, or the file was named by itself.
  var folder: FolderCalendar?
  /// Whether it was found in a folder, and not named.
  var isFound = false
}

/// The calendar that a folder is.
struct FolderCalendar: Equatable {
  let path: String
  let name: String
  /// As #rrggbb; "" where none is known.
  let color: String
}

/// A folder to import: a collection of a vdir, or one with such collections in it, which khal and
/// vdirsyncer keep in ~/.calendars.
///
/// Source: vdirsyncer's documentation, "The Vdir Storage Format".
struct ImportFolder {
  private let path: String
  private let prefix: String

  init(_ path: String) {
    self.path = path
    prefix = path.hasSuffix("/") ? path : path + "/"
  }

  static func isFolder(_ path: String) -> Bool { path != "-" && SystemCalls.isFolder(path) }

  /// Returns the files in it that have the name of a calendar, in the order of their names; where there is
  /// none, those of the folders in it. What is passed by is told.
  ///
  /// - Parameter areNamed: whether the folders count as calendars.
  /// - Throws: ``CommandError/system(_:)`` where there is none, or a folder cannot be read.
  func files(areNamed: Bool, _ context: CommandContext) throws(CommandError) -> [ImportFile] {
    let names = try names()
    let own = names.filter { isOfCalendar($0) }
    if !own.isEmpty {
      tellOfOthers(names, context)
      let folder = areNamed ? try calendar(called: nil, context) : nil
      return own.map { ImportFile(path: prefix + $0, folder: folder, isFound: true) }
    }
    var files: [ImportFile] = []
    for name in names where ImportFolder.isFolder(prefix + name) {
      let folder = ImportFolder(prefix + name)
      let names = try folder.names()
      let found = names.filter { folder.isOfCalendar($0) }
      if found.isEmpty { continue }
      folder.tellOfOthers(names, context)
      let calendar = areNamed ? try folder.calendar(called: name, context) : nil
      files += found.map { ImportFile(path: folder.prefix + $0, folder: calendar, isFound: true) }
    }
    guard !files.isEmpty else {
      throw .system(
        "\(path) is a directory without iCalendar files (.ics, .vcs), or jCal (.jcal, .json) or tables "
          + "(.csv), and so are the directories in it")
    }
    return files
  }

  /// Whether what is in it under this name is a file with the name of a calendar.
  private func isOfCalendar(_ name: String) -> Bool {
    ImportForm(nameOf: name) != nil && !ImportFolder.isFolder(prefix + name)
  }

  /// The names of what is in it, in their order. One with a dot in front is hidden, or a file that
  /// somebody is still writing.
  private func names() throws(CommandError) -> [String] {
    do throws(SystemError) {
      return try SystemCalls.names(inFolder: path).filter { !$0.hasPrefix(".") }.sorted()
    } catch {
      throw .system("cannot read \(path): \(error.code)")
    }
  }

  // MARK: What a vdir says of itself

  private static let nameFile = "displayname"
  private static let colorFile = "color"
  /// What else programs keep in a vdir.
  private static let knownFiles: Set<String> = [nameFile, colorFile, "description", "order"]
  private static let maximumOctets = 4096

  /// Returns the calendar that it is: by its displayname, else as it is called.
  ///
  /// - Parameter name: nil where only a displayname makes it one.
  private func calendar(
    called name: String?, _ context: CommandContext
  ) throws(CommandError) -> FolderCalendar? {
    let told = try text(of: ImportFolder.nameFile)
    guard let name = told.isEmpty ? name : told else { return nil }
    // Apple's have an octet for what shines through.
    let color = try text(of: ImportFolder.colorFile)
    let isColor =
      [7, 9].contains(color.utf8.count) && color.hasPrefix("#")
      && color.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
    if !isColor, !color.isEmpty {
      context.output.warning(
        "\(prefix)\(ImportFolder.colorFile): \"\(color.prefix(20))\" is no colour as #3b82f6 is; it is passed by"
      )
    }
    return FolderCalendar(path: path, name: name, color: isColor ? String(color.prefix(7)) : "")
  }

  /// Returns what a file in it says, on one line; "" where there is none.
  private func text(of name: String) throws(CommandError) -> String {
    do throws(PlatformError) {
      let octets = try readFile(prefix + name, maximumBytes: ImportFolder.maximumOctets)
      let line = octets.prefix { $0 != 0x0A && $0 != 0x0D }
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      return words.joined(separator: " ")
    } catch .system(let error) where error.code == .noSuchFileOrDirectory {
      return ""
    } catch {
      throw .system("cannot read \(prefix)\(name): \(error)")
    }
  }

  // MARK: What is passed by

  private func tellOfOthers(_ names: [String], _ context: CommandContext) {
    let others = names.filter {
      ImportForm(nameOf: $0) == nil && !ImportFolder.knownFiles.contains($0)
    }
    if others.isEmpty { return }
    let shown = others.prefix(3).joined(separator: ", ")
    let more = others.count > 3 ? " and \(others.count - 3) more" : ""
    context.output.warning("\(path): \(shown)\(more): passed by, without an ending of a calendar")
  }
}
