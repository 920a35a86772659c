import CalendarModel
import Platform
import Sync

/// A folder of calendars that khal, vdirsyncer and others share (vdir): each calendar is a folder,
/// each item a file `….ics` in it.
///
/// The href of a calendar is the name of its folder, or "." where the given folder is a calendar
/// itself; the href of an item is the name of its file, which says nothing about its UID.
///
/// Source: vdirsyncer.pimutils.org/en/stable/vdir.html.
final class FolderRemote: Remote {
  static let ending = ".ics"
  /// The href of the given folder itself.
  static let itself = "."
  /// The most bytes of an item that are read.
  private static let maximumBytes = 16 << 20

  private let root: String

  /// - Throws: ``RemoteFailure/Kind/malformed`` if the address is not an absolute path.
  init(access: RemoteAccess) throws(RemoteFailure) {
    guard access.url.hasPrefix("/"), !access.url.contains("\0") else {
      throw RemoteFailure(.malformed, localized("This is not the absolute path of a folder."))
    }
    root = access.url.withoutFinalSlash
  }

  // MARK: Calendars

  /// Lists the calendars in the folder. A folder without folders is a calendar itself.
  func discover(_ answer: Answer) throws(RemoteFailure) {
    let names = try names(in: root).sorted()
    let folders = names.filter { !$0.hasPrefix(".") && SystemCalls.isFolder("\(root)/\($0)") }
    let isItself = folders.isEmpty || names.contains { FolderRemote.isItem($0) }
    for href in (isItself ? [FolderRemote.itself] : []) + folders {
      answer(.collection(collection(href)))
    }
  }

  /// Makes a calendar.
  func createCollection(name: String, color: String, _ answer: Answer) throws(RemoteFailure) {
    let word = String(
      name.lowercased().unicodeScalars.map { scalar in
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
          ? Character(scalar) : "-"
      }
    ).split(separator: "-").joined(separator: "-")
    let taken = Set(try names(in: root))
    var (folder, number) = (word.isEmpty ? "calendar" : word, 1)
    while taken.contains(folder) {
      number += 1
      folder = "\(word.isEmpty ? "calendar" : word)-\(number)"
    }
    do throws(SystemError) {
      try SystemCalls.makeFolder("\(root)/\(folder)")
      let path = "\(root)/\(folder)"
      if !name.isEmpty { try AtomicFile.write(Array(name.utf8), to: "\(path)/displayname") }
      if let color = EventColor(text: color) {
        try AtomicFile.write(Array(color.text.utf8), to: "\(path)/color")
      }
    } catch {
      throw FolderRemote.failure(error)
    }
    answer(.collection(collection(folder)))
  }

  private func collection(_ href: String) -> RemoteCollection {
    let path = href == FolderRemote.itself ? root : "\(root)/\(href)"
    func text(_ file: String) -> String {
      guard let octets = try? readFile("\(path)/\(file)", maximumBytes: 65_536) else { return "" }
      return String(decoding: octets, as: UTF8.self).trimmed
    }
    var collection = RemoteCollection(href: href)
    collection.name = text("displayname")
    if collection.name.isEmpty {
      collection.name = path.split(separator: "/").last.map(String.init) ?? ""
    }
    collection.color = EventColor(text: text("color"))?.text ?? ""
    collection.isWritable = SystemCalls.isWritable(folder: path)
    return collection
  }

  // MARK: Items

  /// Lists a calendar.
  ///
  /// - Parameter token: The file system that it was in at the last time.
  func changes(of collection: String, since token: String, _ answer: Answer)
    throws(RemoteFailure) -> RemoteListing
  {
    let folder = try folder(collection)
    let listing = try FolderRemote.run(folder.path) { () throws(SharedFolder.Failure) in
      try folder.files(ending: FolderRemote.ending)
    }
    let system = SystemCalls.fileSystem(ofFolder: folder.path).map { "\($0)" } ?? ""
    // The number of a file system may change with a restart, but then the items are still there.
    if listing.files.isEmpty, listing.unreadable.isEmpty, !token.isEmpty, token != system {
      throw RemoteFailure(
        .offline,
        localized(
          "{path} is empty, and on another drive than before: the right one is not mounted.",
          ["path": folder.path]))
    }
    for file in listing.files {
      answer(.item(href: file.name, etag: file.version.text, text: nil))
    }
    for file in listing.unreadable {
      answer(.unreadable(href: file.name, reason: localized(file.reason.text)))
    }
    return RemoteListing(isFull: listing.unreadable.isEmpty, token: system)
  }

  /// Reads items.
  func fetch(_ hrefs: [String], of collection: String, _ answer: Answer) throws(RemoteFailure) {
    let folder = try folder(collection)
    // If the folder is gone, its files may still exist elsewhere.
    _ = try names(in: folder.path)
    for href in hrefs { answer(item(href, in: folder)) }
  }

  /// Writes an item, and hands out what is in the folder then.
  func put(
    _ text: String, at name: String, of collection: String, match: String?, scheduleTag: String,
    _ answer: Answer
  ) throws(RemoteFailure) {
    let folder = try folder(collection)
    guard FolderRemote.isItem(name), match != nil || !name.hasPrefix(".") else {
      throw RemoteFailure(
        .refused, localized("{name} cannot be the name of a file for an item.", ["name": name]))
    }
    try FolderRemote.run("\(folder.path)/\(name)") { () throws(SharedFolder.Failure) in
      if let match {
        try folder.replace(name, Array(text.utf8), version: match)
      } else {
        try folder.create(name, Array(text.utf8))
      }
    }
    let kept = item(name, in: folder)
    guard case .item = kept else { throw FolderRemote.changed(name) }
    answer(kept)
  }

  /// Deletes an item.
  func delete(_ name: String, of collection: String, match: String) throws(RemoteFailure) {
    let folder = try folder(collection)
    guard FolderRemote.isItem(name) else { throw FolderRemote.missing("\(folder.path)/\(name)") }
    try FolderRemote.run("\(folder.path)/\(name)") { () throws(SharedFolder.Failure) in
      try folder.remove(name, version: match)
    }
  }

  private func item(_ name: String, in folder: SharedFolder) -> RemoteAnswer {
    guard FolderRemote.isItem(name) else { return .gone(href: name) }
    do throws(SharedFolder.Failure) {
      let (bytes, version) = try folder.read(name, maximumBytes: FolderRemote.maximumBytes)
      guard let text = String(validating: bytes, as: UTF8.self) else {
        return .unreadable(href: name, reason: localized("The file is not text in UTF-8."))
      }
      return .item(href: name, etag: version.text, text: text)
    } catch {
      switch error {
      case .missing: return .gone(href: name)
      case .unreadable(let reason):
        return .unreadable(href: name, reason: localized(reason.text))
      case .system(let reason):
        return .unreadable(href: name, reason: localized(reason.text))
      case .changed, .exists:
        return .unreadable(href: name, reason: FolderRemote.changed(name).reason)
      }
    }
  }

  /// Whether a file of this name is an item.
  private static func isItem(_ name: String) -> Bool {
    name.hasSuffix(ending) && name != ending && !name.contains("/") && !name.contains("\0")
  }

  private func folder(_ href: String) throws(RemoteFailure) -> SharedFolder {
    if href == FolderRemote.itself { return SharedFolder(root) }
    guard !href.isEmpty, !href.hasPrefix("."), !href.contains("/"), !href.contains("\0") else {
      throw FolderRemote.missing("\(root)/\(href)")
    }
    return SharedFolder("\(root)/\(href)")
  }

  private func names(in folder: String) throws(RemoteFailure) -> [String] {
    do throws(SystemError) {
      return try SystemCalls.names(inFolder: folder)
    } catch {
      throw FolderRemote.failure(error)
    }
  }
}
