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

/// A folder to import: a collection of a vdir, one with such collections in it, as khal and
/// vdirsyncer keep them in ~/.calendars, or both.
///
/// Why not leave out the folders of a collection, of which the format says nothing? A file that somebody saved
/// beside his collections would hide all of them.
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

  /// Returns the files in it that have the name of a calendar, in the order of their names, then those of the
  /// folders in it, each of which is a collection. What is passed by is told.
  ///
  /// - Parameter areNamed: whether the folders count as calendars.
  /// - Throws: ``CommandError/system(_:)`` where there is none, or a folder cannot be read; of one that lies
  ///   beside files that is told.
  func files(areNamed: Bool, _ context: CommandContext) throws(CommandError) -> [ImportFile] {
    let names = try names()
    var files = try self.files(of: names, called: nil, areNamed: areNamed, context)
    let hasOwn = !files.isEmpty
    for name in names where ImportFolder.isFolder(prefix + name) {
      let folder = ImportFolder(prefix + name)
      let names: [String]
      do throws(CommandError) { names = try folder.names() } catch {
        // The root of a disk has a "lost+found", which nobody may read: the files beside it are read all the same.
        guard hasOwn, case .system(let text) = error else { throw error }
        context.output.warning("\(text); it is passed by")
        continue
      }
      files += try folder.files(of: names, called: name, areNamed: areNamed, context)
      folder.tellOfFolders(names, context)
    }
    guard !files.isEmpty else {
      throw .system(
        "\(path) is a directory without iCalendar files (.ics, .vcs) or tables (.csv), and so are the "
          + "directories in it")
    }
    return files
  }

  /// Returns the files among what is in it that have the name of a calendar, and tells of the others, where
  /// there are such files.
  ///
  /// - Parameters:
  ///   - name: as of ``calendar(called:_:)``.
  ///   - areNamed: as of ``files(areNamed:_:)``.
  private func files(
    of names: [String], called name: String?, areNamed: Bool, _ context: CommandContext
  ) throws(CommandError) -> [ImportFile] {
    let found = names.filter { isOfCalendar($0) }
    if found.isEmpty { return [] }
    tellOfOthers(names, context)
    let calendar = areNamed ? try calendar(called: name, context) : nil
    return found.map { ImportFile(path: prefix + $0, folder: calendar, isFound: true) }
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
    tell(
      of: names.filter {
        ImportForm(nameOf: $0) == nil && !ImportFolder.knownFiles.contains($0)
          && !ImportFolder.isFolder(prefix + $0)
      }, "without an ending of a calendar", context)
  }

  /// So many folders are looked into for what is too deep.
  private static let mostFolders = 1000

  /// Tells of the folders of a collection, and of those in them, that have files of calendars: a collection has none.
  private func tellOfFolders(_ names: [String], _ context: CommandContext) {
    var folders = names.filter { ImportFolder.isFolder(prefix + $0) }
    var (count, found) = (0, [String]())
    while count < min(folders.count, ImportFolder.mostFolders) {
      let name = folders[count]
      count += 1
      let folder = ImportFolder(prefix + name)
      guard let names = try? folder.names() else {
        // What nobody may look into may have some.
        found.append(name)
        continue
      }
      if names.contains(where: folder.isOfCalendar) { found.append(name) }
      folders += names.filter { ImportFolder.isFolder(folder.prefix + $0) }.map { "\(name)/\($0)" }
    }
    tell(of: found, "too deep for a calendar of this folder; name it to import it", context)
    if count < folders.count {
      context.output.warning(
        "\(path): \(folders[count]) and what lies deeper: passed by, and not looked into")
    }
  }

  private func tell(of names: [String], _ reason: String, _ context: CommandContext) {
    if names.isEmpty { return }
    let shown = names.prefix(3).joined(separator: ", ")
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    context.output.warning("\(path): \(shown)\(more): passed by, \(reason)")
  }
}
