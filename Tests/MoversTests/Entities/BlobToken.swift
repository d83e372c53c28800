import DAOMacros
import Foundation

@Entity
struct BlobToken {
  @ID var id: Int64?
  @Attribute(.uuidBlob) var token: UUID
}
