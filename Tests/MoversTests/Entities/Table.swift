import DAOMacros

/// An entity over a table of another name.
enum Table {
  @Entity("person", table: "people")
  struct Person { @ID var id: Int64? }
}
