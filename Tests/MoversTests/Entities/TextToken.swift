import DAOMacros
import Foundation

@Entity
struct TextToken {
  @ID var id: Int64?
  @Attribute(.uuidText) var token: UUID
}
