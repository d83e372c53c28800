extension Person: Identifiable {}
