import DBus
import Platform

/// The user's text editor.
struct TextEditor {
  /// A line of sh(1), such as "vim" or "code --wait".
  let command: String

  /// Takes VISUAL, else EDITOR, else vi.
  init(_ environment: ProcessEnvironment) {
    command = environment.nonempty("VISUAL") ?? environment.nonempty("EDITOR") ?? "vi"
  }

  /// Lets the user edit a file.
  ///
  /// - Throws: ``CommandError/system(_:)`` if the editor fails.
  func open(_ path: String) throws(CommandError) {
    let end: ChildProcess.End
    do throws(SystemError) {
      end = try ForegroundProgram.run("\(command) \"$1\"", [path])
    } catch {
      throw .system(localized(error.text))
    }
    guard end == .exited(0) else {
      throw .system(
        localized(
          "the editor \"{command}\" failed; set VISUAL or EDITOR to another one",
          ["command": command]))
    }
  }
}

/// A private text file for an editor.
struct EditedFile {
  let path: String

  /// The longest text that is read, in bytes.
  private static let maximumBytes = 1 << 20

  init(_ environment: ProcessEnvironment) {
    let name = String(UInt64.random(in: .min ... .max), radix: 36)
    path = (environment.nonempty("TMPDIR") ?? "/tmp") + "/calctl-\(name).txt"
  }

  /// - Throws: ``CommandError/system(_:)``.
  func write(_ text: String) throws(CommandError) {
    do throws(SystemError) { try AtomicFile.write(text.utf8, to: path) } catch {
      throw .system(localized(error.text))
    }
  }

  /// - Throws: ``CommandError/system(_:)``, also for a text that is not UTF-8.
  func read(_ context: CommandContext) throws(CommandError) -> String {
    let file = try context.openForReading(path)
    let bytes: [UInt8]
    do throws(PlatformError) {
      bytes = try readToEnd(
        descriptor: file.number, maximumBytes: EditedFile.maximumBytes, source: path)
    } catch {
      throw .system(localized(error.text))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .system(localized("{path} is not UTF-8", ["path": path]))
    }
    return text
  }

  func remove() { try? AtomicFile.remove(path) }
}
