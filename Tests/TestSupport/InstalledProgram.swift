/// Programs of others that some tests need.
package enum InstalledProgram {
  /// Whether a test is to run that needs a program: where that is installed, and wherever all of them
  /// have to be (`DATEBOOK_REQUIRE_DESKTOP`, as packaging/test sets it), so that one that is missing is a
  /// failure there.
  package static func isExpected(_ name: String) -> Bool {
    let look = "[ -n \"${DATEBOOK_REQUIRE_DESKTOP:-}\" ] || command -v \"$1\""
    return (try? Subprocess.run("sh", ["-c", look, "sh", name]))?.status == .exited(0)
  }
}
