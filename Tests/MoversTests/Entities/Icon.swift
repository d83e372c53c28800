import DAOMacros
import Foundation

struct Icon: ConvertedAttributeValue {
  var png: Data
  init(stored: Data) { png = stored }
  var stored: Data { png }
}
