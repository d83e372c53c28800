/// The database's schema and marks.
enum WorldclockSchema {
  /// `WCLK` in ASCII, at byte 68 of the file.
  static let applicationID: Int32 = 0x5743_4C4B

  static let statements = [
    """
    CREATE TABLE "country" (
      "code" TEXT NOT NULL PRIMARY KEY,
      "name" TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE "zone" (
      "id" INTEGER NOT NULL PRIMARY KEY,
      "name" TEXT NOT NULL,
      "latitude" REAL NOT NULL,
      "longitude" REAL NOT NULL,
      "comment" TEXT,
      "standardOffset" INTEGER NOT NULL
    )
    """,
    #"CREATE UNIQUE INDEX "zone_on_name" ON "zone" ("name")"#,
    """
    CREATE TABLE "zone_country" (
      "zoneID" INTEGER NOT NULL REFERENCES "zone"("id") ON DELETE CASCADE,
      "countryCode" TEXT NOT NULL REFERENCES "country"("code") ON DELETE CASCADE,
      PRIMARY KEY ("zoneID", "countryCode")
    )
    """,
    #"CREATE INDEX "zone_country_on_countryCode" ON "zone_country" ("countryCode")"#,
    """
    CREATE TABLE "transition" (
      "zoneID" INTEGER NOT NULL REFERENCES "zone"("id") ON DELETE CASCADE,
      "instant" DATETIME_SECONDS NOT NULL,
      "offsetBefore" INTEGER NOT NULL,
      "offsetAfter" INTEGER NOT NULL,
      "abbreviation" TEXT NOT NULL,
      "isDaylight" BOOLEAN NOT NULL,
      PRIMARY KEY ("zoneID", "instant")
    )
    """,
    """
    CREATE TABLE "note" (
      "id" UUID_BLOB NOT NULL PRIMARY KEY,
      "zoneID" INTEGER NOT NULL REFERENCES "zone"("id") ON DELETE CASCADE,
      "text" TEXT NOT NULL,
      "created" DATETIME_MILLISECONDS NOT NULL
    )
    """,
    #"CREATE INDEX "note_on_zoneID" ON "note" ("zoneID")"#,
    """
    CREATE VIEW "country_zone" AS
    SELECT "zoneID", "countryCode", "country"."name" AS "country", "zone"."name" AS "zone", "standardOffset"
    FROM "zone_country" JOIN "zone" ON "zone"."id" = "zoneID" JOIN "country" ON "code" = "countryCode"
    """,
  ]
}
