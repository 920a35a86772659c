import Platform
import Widgets

/// A file to import.
struct ImportFile {
  let path: String
  /// The calendar of its folder; nil if the folder is not one, or the file itself was named.
  var folder: FolderCalendar?
  /// Whether it was found in a folder rather than named.
  var isFound = false
}

/// A folder that is imported as a calendar.
struct FolderCalendar: Equatable {
  let path: String
  let name: String
  /// The color as #rrggbb; "" if unknown.
  let color: String
}

/// A folder to import: a collection of a vdir, a folder of collections, or both.
///
/// khal and vdirsyncer store collections in ~/.calendars. The format does not describe folders
/// inside a collection. They are imported all the same: otherwise a file that somebody saved next
/// to the collections would hide all of them.
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

  /// Returns its calendar files, sorted by name, then those of each folder in it.
  ///
  /// Each such folder is a collection. Prints warnings about what is skipped.
  ///
  /// - Parameter areNamed: Whether the folders become calendars.
  /// - Throws: ``CommandError/system(_:)`` if there are no files, or a folder cannot be read; if
  ///   there are other files, the latter is a warning.
  func files(areNamed: Bool, _ context: CommandContext) throws(CommandError) -> [ImportFile] {
    let names = try names()
    var files = try self.files(of: names, called: nil, areNamed: areNamed, context)
    let hasOwn = !files.isEmpty
    for name in names where ImportFolder.isFolder(prefix + name) {
      let folder = ImportFolder(prefix + name)
      let names: [String]
      do throws(CommandError) { names = try folder.names() } catch {
        // The root of a disk has a "lost+found" that only root can read; import the files next to
        // it.
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

  /// Returns the calendar files among some names; if there are any, warns of the others.
  ///
  /// - Parameters:
  ///   - name: See ``calendar(called:_:)``.
  ///   - areNamed: See ``files(areNamed:_:)``.
  private func files(
    of names: [String], called name: String?, areNamed: Bool, _ context: CommandContext
  ) throws(CommandError) -> [ImportFile] {
    let found = names.filter { isOfCalendar($0) }
    if found.isEmpty { return [] }
    warnOfOthers(names, context)
    let calendar = areNamed ? try calendar(called: name, context) : nil
    return found.map { ImportFile(path: prefix + $0, folder: calendar, isFound: true) }
  }

  /// Returns whether a name in the folder is a file with the extension of a calendar.
  private func isOfCalendar(_ name: String) -> Bool {
    ImportForm(nameOf: name) != nil && !ImportFolder.isFolder(prefix + name)
  }

  /// Returns the names in the folder, sorted.
  ///
  /// A leading dot marks a hidden file, or one that is still being written.
  private func names() throws(CommandError) -> [String] {
    do throws(SystemError) {
      return try SystemCalls.names(inFolder: path).filter { !$0.hasPrefix(".") }.sorted()
    } catch {
      throw .system(
        localized("cannot read {path}: {error}", ["path": path, "error": error.code.text]))
    }
  }

  // MARK: Properties of a vdir

  private static let nameFile = "displayname"
  private static let colorFile = "color"
  /// Other files that programs store in a vdir.
  private static let knownFiles: Set<String> = [nameFile, colorFile, "description", "order"]
  private static let maximumOctets = 4096

  /// Returns the folder's calendar, named by its displayname file or else like the folder.
  ///
  /// - Parameter name: The name of the folder; nil if only a displayname makes it a calendar.
  private func calendar(
    called name: String?, _ context: CommandContext
  ) throws(CommandError) -> FolderCalendar? {
    let displayName = try text(of: ImportFolder.nameFile)
    guard let name = displayName.isEmpty ? name : displayName else { return nil }
    // Apple's colors have another byte, for the opacity.
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

  /// Returns the first line of a file in the folder; "" if the file does not exist.
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
        localized("cannot read {path}: {error}", ["path": prefix + name, "error": error.text]))
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

  /// The most folders that are searched for calendar files at a deeper level.
  private static let mostFolders = 1000

  /// Warns of calendar files in folders inside a collection, which are not imported.
  private func warnOfFolders(_ names: [String], _ context: CommandContext) {
    var folders = names.filter { ImportFolder.isFolder(prefix + $0) }
    var (count, found) = (0, [String]())
    while count < min(folders.count, ImportFolder.mostFolders) {
      let name = folders[count]
      count += 1
      let folder = ImportFolder(prefix + name)
      guard let names = try? folder.names() else {
        // A folder that cannot be read may contain calendar files.
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
    let shown = localizedList(names.prefix(3))
    if names.count <= 3 { return shown }
    return localized(
      "{names} and {number} more", ["names": shown, "number": names.count - 3])
  }
}
