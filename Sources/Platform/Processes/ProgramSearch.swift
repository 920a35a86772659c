/// Returns the path of a program that is started by its name.
///
/// - Parameters:
///   - name: An absolute path is returned unchanged.
///   - path: The value of PATH; nil means "/usr/bin:/bin".
/// - Returns: nil if no folder has such a program that this process may run.
package func program(named name: String, path: String?) -> String? {
  if name.hasPrefix("/") { return name }
  return (path ?? "/usr/bin:/bin").split(separator: ":").lazy
    .map { "\($0)/\(name)" }.first(where: isExecutableFile)
}
