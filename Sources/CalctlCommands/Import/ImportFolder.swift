import Platform
import Widgets

/// A file to import.
struct ImportFile {
  let path: String
  /// The calendar of its folder; nil if that is not one, or the file was named itself.
  var folder: FolderCalendar?
  /// Whether it was found in a folder, not named.
  var isFound = false
}

/// A folder that is a calendar.
struct FolderCalendar: Equatable {
  let path: String
  let name: String
  /// As #rrggbb; "" if unknown.
  let color: String
}

/// A folder to import: a collection of a vdir, a folder of such collections, as khal and vdirsyncer
/// have them in ~/.calendars, or both.
///
/// Why import folders inside a collection, of which the format says nothing? A file that somebody
/// saved next to the collections would hide all of them.
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

  /// Returns the calendar files in it, in the order of their names, then those of the folders in
  /// it, each of which is a collection. Warns of what is skipped.
  ///
  /// - Parameter areNamed: whether the folders count as calendars.
  /// - Throws: ``CommandError/system(_:)`` if there are none, or a folder cannot be read; next to
  ///   files that is a warning.
  func files(areNamed: Bool, _ context: CommandContext) throws(CommandError) -> [ImportFile] {
    let names = try names()
    var files = try self.files(of: names, called: nil, areNamed: areNamed, context)
    let hasOwn = !files.isEmpty
    for name in names where ImportFolder.isFolder(prefix + name) {
      let folder = ImportFolder(prefix + name)
      let names: [String]
      do throws(CommandError) { names = try folder.names() } catch {
        // The root of a disk has a "lost+found", which only root may read: the files next to it are
        // still imported.
        guard hasOwn, case .system(let text) = error else { throw error }
        context.output.warning(localized("{problem}; skipped", ["problem": text]))
        continue
      }
      files += try folder.files(of: names, called: name, areNamed: areNamed, context)
      folder.warnOfFolders(names, context)
    }
    guard !files.isEmpty else {
      throw .system(
        localized(
          "neither {path} nor the folders in it have files that end with {extensions}",
          ["path": path, "extensions": ImportForm.endings]))
    }
    return files
  }

  /// Returns the calendar files among its names; if there are any, warns of the others.
  ///
  /// - Parameters:
  ///   - name: as of ``calendar(called:_:)``.
  ///   - areNamed: as of ``files(areNamed:_:)``.
  private func files(
    of names: [String], called name: String?, areNamed: Bool, _ context: CommandContext
  ) throws(CommandError) -> [ImportFile] {
    let found = names.filter { isOfCalendar($0) }
    if found.isEmpty { return [] }
    warnOfOthers(names, context)
    let calendar = areNamed ? try calendar(called: name, context) : nil
    return found.map { ImportFile(path: prefix + $0, folder: calendar, isFound: true) }
  }

  /// Whether this name in it is a file with the extension of a calendar.
  private func isOfCalendar(_ name: String) -> Bool {
    ImportForm(nameOf: name) != nil && !ImportFolder.isFolder(prefix + name)
  }

  /// Returns the sorted names in it. One with a leading dot is hidden, or a file that is still
  /// being written.
  private func names() throws(CommandError) -> [String] {
    do throws(SystemError) {
      return try SystemCalls.names(inFolder: path).filter { !$0.hasPrefix(".") }.sorted()
    } catch {
      throw .system(
        localized("cannot read {path}: {error}", ["path": path, "error": "\(error.code)"]))
    }
  }

  // MARK: Properties of a vdir

  private static let nameFile = "displayname"
  private static let colorFile = "color"
  /// Other files that programs have in a vdir.
  private static let knownFiles: Set<String> = [nameFile, colorFile, "description", "order"]
  private static let maximumOctets = 4096

  /// Returns its calendar, named by its displayname or else as the folder.
  ///
  /// - Parameter name: nil if only a displayname makes it a calendar.
  private func calendar(
    called name: String?, _ context: CommandContext
  ) throws(CommandError) -> FolderCalendar? {
    let displayName = try text(of: ImportFolder.nameFile)
    guard let name = displayName.isEmpty ? name : displayName else { return nil }
    // Apple's colors have an octet for the opacity.
    let color = try text(of: ImportFolder.colorFile)
    let isColor =
      [7, 9].contains(color.utf8.count) && color.hasPrefix("#")
      && color.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
    if !isColor, !color.isEmpty {
      context.output.warning(
        localized(
          "{path}: \"{color}\" is not a color such as {example}; ignored",
          [
            "path": prefix + ImportFolder.colorFile, "color": color.prefix(20),
            "example": "#3b82f6",
          ]))
    }
    return FolderCalendar(path: path, name: name, color: isColor ? String(color.prefix(7)) : "")
  }

  /// Returns the first line of a file in it; "" if there is no such file.
  private func text(of name: String) throws(CommandError) -> String {
    do throws(PlatformError) {
      let octets = try readFile(prefix + name, maximumBytes: ImportFolder.maximumOctets)
      let line = octets.prefix { $0 != 0x0A && $0 != 0x0D }
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      return words.joined(separator: " ")
    } catch .system(let error) where error.code == .noSuchFileOrDirectory {
      return ""
    } catch {
      throw .system(
        localized("cannot read {path}: {error}", ["path": prefix + name, "error": "\(error)"]))
    }
  }

  // MARK: Skipped files

  private func warnOfOthers(_ names: [String], _ context: CommandContext) {
    let others = names.filter {
      ImportForm(nameOf: $0) == nil && !ImportFolder.knownFiles.contains($0)
        && !ImportFolder.isFolder(prefix + $0)
    }
    if others.isEmpty { return }
    context.output.warning(
      localized(
        "{path}: skipped files without the extension of a calendar: {files}",
        ["path": path, "files": ImportFolder.listed(others)]))
  }

  /// The most folders that are searched for calendar files that are too deep.
  private static let mostFolders = 1000

  /// Warns of the folders inside a collection that have calendar files: a collection has none.
  private func warnOfFolders(_ names: [String], _ context: CommandContext) {
    var folders = names.filter { ImportFolder.isFolder(prefix + $0) }
    var (count, found) = (0, [String]())
    while count < min(folders.count, ImportFolder.mostFolders) {
      let name = folders[count]
      count += 1
      let folder = ImportFolder(prefix + name)
      guard let names = try? folder.names() else {
        // A folder that cannot be read may have some.
        found.append(name)
        continue
      }
      if names.contains(where: folder.isOfCalendar) { found.append(name) }
      folders += names.filter { ImportFolder.isFolder(folder.prefix + $0) }.map { "\(name)/\($0)" }
    }
    if !found.isEmpty {
      context.output.warning(
        localized(
          "{path}: skipped nested folders (name them to import them): {folders}",
          ["path": path, "folders": ImportFolder.listed(found)]))
    }
    if count < folders.count {
      context.output.warning(
        localized(
          "{path}: skipped {folder} and further nested folders without searching them",
          ["path": path, "folder": folders[count]]))
    }
  }

  /// Returns the first three names, and how many more there are.
  private static func listed(_ names: [String]) -> String {
    let shown = names.prefix(3).joined(separator: ", ")
    if names.count <= 3 { return shown }
    return localized(
      "{names} and {number} more", ["names": shown, "number": names.count - 3])
  }
}
