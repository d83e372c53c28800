/// The problems of a record that ends an import.
struct ImportStop: Error {
  let problems: [ImportProblem]
}
