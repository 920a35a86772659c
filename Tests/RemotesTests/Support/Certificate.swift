import TestSupport
import Testing

/// Makes a certificate of 127.0.0.1 that signs itself, and returns a file of it and its key.
func makeCertificate(in folder: TemporaryDirectory) throws -> String {
  let pair = folder.file("pair.pem")
  let made = try Subprocess.run(
    "openssl",
    [
      "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
      "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", pair, "-out",
      folder.file("certificate.pem"),
    ])
  try #require(made.status == .exited(0), "\(made.errors)")
  let key = try #require(folder.read("pair.pem"))
  try folder.write(key + (try #require(folder.read("certificate.pem"))), to: "pair.pem")
  return pair
}
