import TestSupport

/// The words before a program that lets it have file systems of its own, in a namespace of its own as
/// this user or as root; none where the machine allows neither.
let mounting: [String] = {
  for words in [["unshare", "-m"], ["unshare", "-rm"]] {
    let probe = words.dropFirst() + ["mount", "-t", "tmpfs", "none", "/mnt"]
    if let outcome = try? Subprocess.run(words[0], Array(probe)), outcome.status == .exited(0) {
      return words
    }
  }
  return []
}()
