import TestSupport

/// The words before a program that lets it have file systems of its own, in a namespace of its own;
/// none where that is not allowed. A user namespace would allow it to anybody, but for the bus the
/// agent would be somebody else in it than outside.
let mounting: [String] = {
  let words = ["unshare", "-m"]
  let probe = words.dropFirst() + ["mount", "-t", "tmpfs", "none", "/mnt"]
  let outcome = try? Subprocess.run(words[0], Array(probe))
  return outcome?.status == .exited(0) ? words : []
}()
