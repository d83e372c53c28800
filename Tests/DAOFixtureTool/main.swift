import DAOFixtures
import DAOKit
import Foundation

let folder = URL(fileURLWithPath: CommandLine.arguments[1])
for fixture in Fixture.all {
  let url = try fixture.write(to: folder)
  let factory = try DAOFactory(store: .file(url))
  for entity in try factory.store.entities() {
    print(entity.name, entity.key, entity.attributes.map { "\($0.name):\($0.type)\($0.isOptional ? "?" : "")" }, entity.relationships.map { "\($0.name) \($0.kind)" })
  }
}
