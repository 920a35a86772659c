/// The program `datebook-sync`.
package enum SyncProgram {
  package static func main() {}
}
