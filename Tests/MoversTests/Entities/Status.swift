import DAOMacros

enum Status: String, AttributeValue { case member, guest }
