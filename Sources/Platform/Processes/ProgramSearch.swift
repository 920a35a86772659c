/// Returns where a program is that is started by its name.
///
/// - Parameters:
///   - name: one that begins with "/" is taken as it is.
///   - path: the value of PATH; nil where the environment has none, which is as if it were
///     "/usr/bin:/bin".
/// - Returns: nil where no folder has such a program that this process may run.
package func program(named name: String, path: String?) -> String? {
  if name.hasPrefix("/") { return name }
  return (path ?? "/usr/bin:/bin").split(separator: ":").lazy
    .map { "\($0)/\(name)" }.first(where: isExecutableFile)
}
