#!/usr/bin/env python3
"""Makes a database in the manner of several programs, and says what it means.

make.py FOLDER [SEED] [CASES] writes store.sqlite; forms.json, the type of each column; values.jsonl, what each row says; and cases.jsonl,
criteria with the keys of the rows that they find, in their order, or the values that they report: CASES for each column. Python's sqlite3,
datetime, zoneinfo and decimal are the oracle: nothing here is the library's.
"""

import json
import math
import random
import sqlite3
import sys
import uuid
from datetime import datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

EPOCH = datetime(1970, 1, 1)
NANO = 10**9
FIRST, LAST = -62_135_596_800, 253_402_300_800  # the years 0001 to 9999, in seconds since 1970
TO_2001 = 978_307_200

# ---- Instants, in nanoseconds since 1970


def civil(ns):
    """The date and time of an instant in UTC, without the digits of the second."""
    return EPOCH + timedelta(seconds=ns // NANO)


def read(ns):
    """The seconds since 2001 of the `Date` that is nearest: it is made of a double of seconds since 1970."""
    since1970 = ns / NANO  # rounded correctly, as divisions of integers are
    if since1970 >= LAST > ns // NANO:
        since1970 = 253_402_300_799.99997
    return since1970 - TO_2001


def date_json(reference):
    """A date as criteria have it, with every digit of its double."""
    whole = int(reference // 1)
    digits = str(Decimal(repr(reference)) - whole).partition(".")[2]
    if "E" in digits:
        digits = format(Decimal(repr(reference)) - whole, "f").partition(".")[2]
    second = (datetime(2001, 1, 1) + timedelta(seconds=whole)).isoformat(timespec="seconds")
    return f"{second}.{digits.ljust(3, '0')}Z"


# ---- Forms


class Form:
    """How a date is written: the type as the library declares it, the unit of its digits, and the stored value of an instant."""

    def __init__(self, declared, unit, write, days=(FIRST, LAST), exact=None):
        self.declared, self.unit, self.write, self.days = declared, unit, write, days
        # What a stored value means, where that is not the instant that was written.
        self.exact = exact or (lambda ns, stored: ns)

    def stored(self, rng, count):
        """Values of rows, and the instants that they mean."""
        made = []
        for ns in instants(self, rng, count):
            value = None if rng.random() < 0.1 else self.write(ns, rng)
            made.append((value, None if value is None else self.exact(ns, value)))
        return made

    def cell(self, exact):
        return Cell(exact, read(exact))

    def said(self, cell):
        return {"date": cell.value}

    def json(self, value):
        return date_json(value)

    def beside(self, cell, rng):
        """A date a few units beside one of a row, that the form can say."""
        if hasattr(self, "settle") or self.unit < 1000:
            return cell.value
        exact = cell.exact + rng.choice([-1, 1, 2, -60]) * self.unit
        low, high = self.days
        return read(exact) if low * NANO <= exact < high * NANO else cell.value

    def functions(self, column, known, rng):
        """A comparison of a part of the calendar. Days of a zone have the calendar of that."""
        if hasattr(self, "settle"):
            return None
        name = rng.choice(["year", "month", "day", "hour", "weekday"])
        number = parts(rng.choice(known))[name]
        return {"compare": {name: column}, "is": "==", "to": {"value": number}}, lambda cell: cell is not None and parts(cell)[name] == number

    def report(self, column, condition, cells):
        return None


# ---- Numbers

WIDE = Context(prec=400, rounding=ROUND_HALF_UP)


def plain(number):
    """The digits of a number, as the library writes it."""
    if number == 0:
        return "0"
    out = format(number, "f")
    return out.rstrip("0").rstrip(".") if "." in out else out


class Number:
    """How a decimal number is written: the type as the library declares it, the digits after the point, and what a stored value means."""

    def __init__(self, declared, scale, write, exact, has_abs=True):
        self.declared, self.scale, self.write, self.exact, self.has_abs = declared, scale, write, exact, has_abs

    def stored(self, rng, count):
        made = []
        while len(made) < count:
            value = made[rng.randrange(len(made))][0] if made and rng.random() < 0.2 else None if rng.random() < 0.1 else self.write(rng)
            # What it means is said of what SQLite keeps.
            made.append((value, None))
        return made

    def cell(self, exact):
        return Cell(exact, exact)

    def said(self, cell):
        return {"number": plain(cell.value)}

    def json(self, value):
        return plain(value)

    def can_say(self, number):
        """Whether a stored value is read as the number."""
        if "TEXT" in self.declared or "INTEGER" in self.declared:
            return self.scale is None or number == rounded(number, self.scale) and abs(number) < 10**15
        is_whole = number == int(number) and "REAL" not in self.declared and abs(number) < 2**63
        return number == rounded(number, self.scale) and (is_whole or self.exact(float(number)) == number)

    def beside(self, cell, rng):
        number = cell.value + rng.choice([-1, 1, 2, -60]) * Decimal(1).scaleb(-(2 if self.scale is None else self.scale))
        return number if self.can_say(number) else cell.value

    def functions(self, column, known, rng):
        number = rng.choice(known).value
        if self.has_abs and rng.random() < 0.5:
            if any(abs(cell.value) >= 2**63 - 1 for cell in known):
                return None
            return {"compare": {"abs": column}, "is": "==", "to": {"value": plain(abs(number))}}, lambda cell: cell is not None and abs(cell.value) == abs(number)
        digits = rng.randrange(3)

        def result(number):
            # One that no stored value is read as is null.
            made = rounded(number, digits) if self.scale is None or digits < self.scale else number
            return made if self.can_say(made) else None

        sought = result(number)
        if sought is None:
            return None
        return {"compare": {"round": column, "digits": digits}, "is": ">=", "to": {"value": plain(sought)}}, lambda cell: cell is not None and (
            result(cell.value) is not None and result(cell.value) >= sought
        )

    def report(self, column, condition, cells):
        """The groups of some rows with their counts, or their sums."""
        found = [cell.value for cell in cells if cell]
        if len(cells) % 2:
            rows = [[plain(n), str(sum(1 for m in found if m == n))] for n in sorted(set(found))]
            nulls = len(cells) - len(found)
            criteria = {"project": [{"term": column, "group": True}, {"term": {"count": "*"}}], "order": [{"by": column}]}
            return criteria, ([[None, str(nulls)]] if nulls else []) + rows
        with localcontext(WIDE):
            total = sum(found, Decimal(0))
            if total and len(total.normalize().as_tuple().digits) > 38:
                return None
            mean = Context(prec=38, rounding=ROUND_HALF_UP).divide(total, Decimal(len(found))) if found else None
        terms = [{"term": {name: column}} for name in ["sum", "average", "min", "max", "countDistinct"]]
        if "INTEGER" in self.declared and abs(total) * 10**self.scale >= 2**63:
            return None
        values = [total, mean, min(found), max(found)] if found else [None] * 4
        return {"project": terms}, [[None if v is None else plain(v) for v in values] + [str(len(set(found)))]]


def rounded(number, scale):
    """The exact value of a number to some digits after the point, halves away from zero."""
    return WIDE.quantize(WIDE.create_decimal(number), Decimal(1).scaleb(-scale))


def doubles(name, scale):
    """Numbers of a NUMERIC or a REAL column, and what computing leaves of them."""
    is_real = name == "REAL"

    def write(rng):
        number = Decimal(rng.randrange(-(10**6), 10**6)).scaleb(-scale)
        kind = rng.randrange(12)
        if kind < 4:
            return float(number)
        if kind == 4:
            double = float(number)
            for _ in range(rng.randrange(1, 4)):
                double = math.nextafter(double, rng.choice([-math.inf, math.inf]))
            return double
        if kind == 5:
            return sum([rng.choice([0.1, 0.2, 1.1])] * rng.randrange(1, 30))
        if kind == 6:
            return float(Decimal(2 * rng.randrange(-500, 500) + 1) * 5 * Decimal(1).scaleb(-scale - 1))
        if kind == 7:
            return rng.randrange(-1000, 1000)
        if kind == 8:
            return rng.choice([2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63), 2**53, 10**15])
        if kind == 9:
            return rng.choice([1e20, -(2.0**70), 4503599627370497.5, 2.0**52 + 0.5, 1e-300, -0.0, 0.5, -0.5, 5e-324])
        if kind == 10:
            return rng.uniform(-1000, 1000)
        return float(number) * rng.choice([1.1, 0.1, 3, 1 / 3])

    def exact(stored):
        return Decimal(stored) if isinstance(stored, int) else rounded(Decimal(stored), scale)

    return Number(f"DECIMAL_{name}({scale})", scale, write, exact)


def digits_text(rng):
    number = plain(Decimal(rng.randrange(-(10**9), 10**9)).scaleb(-rng.randrange(0, 6)))
    kind = rng.random()
    if kind < 0.2:
        return number + ("0" * rng.randrange(1, 4) if "." in number else ".00")
    if kind < 0.3:
        return number if number.startswith("-") else rng.choice(["+", "0", "00"]) + number
    if kind < 0.35:
        return rng.choice(["12345678901234567890.12", "-99999999999999999999999999", "0.000000000000000001", "0", "-0.0", "5.", ".5"])
    return number


def text(pattern, zone=None):
    """Texts of a pattern, in UTC or by the clocks of a zone."""
    clocks = ZoneInfo(zone) if zone else timezone.utc
    second = pattern.partition(":SS")[2]
    count = len([c for c in second if c in "SF"])
    unit = NANO // 10**count if "SS" in pattern else 60 * NANO if "HH:MM" in pattern else 86_400 * NANO

    def write(ns, rng):
        utc = civil(ns).replace(tzinfo=timezone.utc)
        local = utc.astimezone(clocks)
        if "+HH:MM" in pattern:
            # Any offset is read.
            minutes = rng.choice([0, 60, -720, 330, 839, -1]) if FIRST + 86_400 < ns // NANO < LAST - 86_400 else 0
            local = (utc + timedelta(minutes=minutes)).replace(tzinfo=timezone(timedelta(minutes=minutes)))
        elif local.fold or local.utcoffset().total_seconds() % 60:
            return None
        out = pattern.replace("YYYY-MM-DD", f"{local.year:04}-{local.month:02}-{local.day:02}")
        fraction = f"{ns % NANO:09}"[:count]
        if "[." in second:
            digits = "." + fraction if fraction.strip("0") else ""
            out = out.replace(f"[.{'S' * count}]", digits)
        elif ".F" in second:
            out = out.replace("." + "F" * count, ("." + fraction).rstrip("0").rstrip("."))
        elif count:
            out = out.replace("." + "S" * count, "." + fraction)
        sign = "-" if local.utcoffset() < timedelta(0) else "+"
        minutes = abs(int(local.utcoffset().total_seconds())) // 60
        if "+HH:MM" in out:
            out = out.replace("+HH:MM", f"{sign}{minutes // 60:02}:{minutes % 60:02}")
        return out.replace("HH:MM", f"{local.hour:02}:{local.minute:02}").replace(":SS", f":{local.second:02}")

    days = (0, 86_400) if "YYYY" not in pattern else (FIRST, LAST)
    form = Form(f"DATETIME_TEXT {pattern}" + (f" {zone}" if zone else ""), unit, write, days)
    if zone and "HH" not in pattern:
        # A day begins when the clocks there say so.
        def day(ns, rng):
            return None if local_midnight(ns, clocks) != ns else write(ns, rng)

        form.write = day
        form.settle = lambda ns: local_midnight(ns, clocks)
    if zone:
        form.days = (-600_000_000, 4_000_000_000)
    return form


def local_midnight(ns, clocks):
    local = civil(ns).replace(tzinfo=timezone.utc).astimezone(clocks)
    start = datetime(local.year, local.month, local.day, tzinfo=clocks).astimezone(timezone.utc)
    return int((start.replace(tzinfo=None) - EPOCH).total_seconds()) * NANO


def since_2001(ns, rng):
    seconds = Fraction(ns, NANO) - TO_2001
    return int(seconds) if seconds.denominator == 1 and rng.random() < 0.5 else float(seconds)


def julian(ns, rng):
    return ns // 1_000_000 / 86_400_000 + 2_440_587.5 if rng.random() < 0.5 else (ns // 1_000_000 + 210_866_760_000_000) / 86_400_000.0


def julian_exact(ns, stored):
    """SQLite reads days to the millisecond, from a double of milliseconds."""
    return (int(stored * 86_400_000.0 + 0.5) - 210_866_760_000_000) * 1_000_000


# ---- Truth and identity


class Plain:
    """A value with few spellings: the type as the library declares it, how it is written, and what a stored value means."""

    def __init__(self, kind, declared, make, write, exact):
        self.kind, self.declared, self.make, self.write, self.exact = kind, declared, make, write, exact

    def stored(self, rng, count):
        known = [self.make(rng) for _ in range(count // 3)]
        return [(None if rng.random() < 0.1 else self.write(rng.choice(known), rng), None) for _ in range(count)]

    def cell(self, exact):
        return Cell(exact, exact)

    def said(self, cell):
        return {self.kind: self.json(cell.value)}

    def json(self, value):
        return value if self.kind == "bool" else str(value)

    def beside(self, cell, rng):
        return self.make(rng)

    def functions(self, column, known, rng):
        return None

    def report(self, column, condition, cells):
        found = [cell.value for cell in cells if cell]
        said = lambda value: str(self.json(value)).lower()
        if len(cells) % 2:
            rows = [[said(v), str(found.count(v))] for v in sorted(set(found))]
            nulls = len(cells) - len(found)
            criteria = {"project": [{"term": column, "group": True}, {"term": {"count": "*"}}], "order": [{"by": column}]}
            return criteria, ([[None, str(nulls)]] if nulls else []) + rows
        ends = [said(min(found)), said(max(found))] if found else [None, None]
        return {"project": [{"term": {name: column}} for name in ["min", "max", "countDistinct"]]}, [ends + [str(len(set(found)))]]


def truth(words):
    """One of two words, in any case."""
    yes, no = words.split("/")

    def write(value, rng):
        word = yes if value else no
        return rng.choice([word, word, word.upper(), word.lower(), word.capitalize()])

    return Plain("bool", f"BOOLEAN_TEXT {words}", lambda rng: rng.random() < 0.5, write, lambda stored: stored.lower() == yes.lower())


def identity(declared, write, exact=lambda stored: uuid.UUID(stored)):
    """UUIDs, some of which differ in their last digits alone, or have digits that are all decimal."""

    def make(rng):
        kind = rng.random()
        if kind < 0.2:
            return uuid.UUID(int=rng.randrange(20))
        return uuid.UUID(int=rng.choice([0xABCDEF, 0x6BA7B810]) << 96 | rng.randrange(50)) if kind < 0.4 else uuid.UUID(int=rng.getrandbits(128))

    return Plain("uuid", declared, make, lambda value, rng: write(value), exact)


class Said(str):
    """A text that is equal to others and ordered among them by a key of its own."""

    def __new__(cls, text, key):
        made = super().__new__(cls, text)
        made.key = key(text)
        return made

    __eq__ = lambda self, other: self.key == other.key
    __ne__ = lambda self, other: self.key != other.key
    __lt__ = lambda self, other: self.key < other.key
    __le__ = lambda self, other: self.key <= other.key
    __gt__ = lambda self, other: self.key > other.key
    __ge__ = lambda self, other: self.key >= other.key
    __hash__ = lambda self: hash(self.key)


class Text(Plain):
    """Texts of few letters, in several cases and with several blanks behind them, which `key` compares."""

    def __init__(self, declared, key, write=lambda text: text, read=lambda stored: stored, blanks=True):
        self.key, self.blanks = key, blanks
        super().__init__("text", declared, self.some, lambda value, rng: write(str(value)), lambda stored: self.text(read(stored)))

    def text(self, text):
        return Said(text, self.key)

    def some(self, rng):
        letters = rng.choice(["ab", "abAB", "aAzZ@[`{", "äÄaA", "ßsS", "a\t _%*?", "😀e\u0301é", "İiIı"])
        made = "".join(rng.choice(letters) for _ in range(rng.randrange(6)))
        return self.text(made + " " * rng.choice([0, 0, 0, 1, 2]) if self.blanks else made.rstrip(" "))

    def json(self, value):
        return str(value)

    def functions(self, column, known, rng):
        text = str(rng.choice(known).value)
        kind = rng.randrange(5)
        if kind == 0:
            return {"compare": {"length": column}, "is": "==", "to": {"value": len(text)}}, lambda cell: cell is not None and len(str(cell.value)) == len(text)
        part = text[: rng.randrange(len(text) + 1)] if kind < 3 else text[rng.randrange(len(text) + 1) :]
        name = ["beginsWith", "beginsWith", "endsWith", "contains"][kind - 1]
        test = {"beginsWith": str.startswith, "endsWith": str.endswith, "contains": str.__contains__}[name]
        return {name: column, "pattern": part}, lambda cell: cell is not None and test(str(cell.value), part)

    def report(self, column, condition, cells):
        # Which of several spellings is returned is open.
        found = [cell.value for cell in cells if cell]
        if self.key == str.encode and len(cells) % 2:
            rows = [[str(value), str(found.count(value))] for value in sorted(set(found))]
            nulls = len(cells) - len(found)
            criteria = {"project": [{"term": column, "group": True}, {"term": {"count": "*"}}], "order": [{"by": column}]}
            return criteria, ([[None, str(nulls)]] if nulls else []) + rows
        return {"project": [{"term": {"count": column}}, {"term": {"countDistinct": column}}]}, [[str(len(found)), str(len(set(found)))]]


def nocase(text):
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text).encode()


FORMS = {
    "iso": Form("DATETIME_TEXT", NANO // 1000, text("YYYY-MM-DDTHH:MM:SS.SSSZ").write),
    "seconds": Form("DATETIME_SECONDS", NANO, lambda ns, rng: ns // NANO),
    "milliseconds": Form("DATETIME_MILLISECONDS", NANO // 1000, lambda ns, rng: ns // 1_000_000),
    "microseconds": Form("DATETIME_MICROSECONDS", 1000, lambda ns, rng: ns // 1000),
    "nanoseconds": Form("DATETIME_NANOSECONDS", 1, lambda ns, rng: ns, (-9_000_000_000, 9_000_000_000)),
    "since2001": Form("DATETIME_SECONDS_SINCE_2001", NANO // 4, since_2001),
    "julian": Form("DATETIME_JULIAN_DAYS", NANO // 1000, julian, exact=julian_exact),
    "secondsText": Form("DATETIME_SECONDS_TEXT", NANO, lambda ns, rng: str(ns // NANO)),
    "millisecondsText": Form("DATETIME_MILLISECONDS_TEXT", NANO // 1000, lambda ns, rng: str(ns // 1_000_000)),
    "blank": text("YYYY-MM-DD HH:MM:SS"),
    "letter": text("YYYY-MM-DDTHH:MM:SS"),
    "utc": text("YYYY-MM-DDTHH:MM:SSZ"),
    "python": text("YYYY-MM-DD HH:MM:SS[.SSSSSS]"),
    "rails": text("YYYY-MM-DD HH:MM:SS.SSSSSS"),
    "net": text("YYYY-MM-DD HH:MM:SS.FFFFFFF"),
    "netUTC": text("YYYY-MM-DDTHH:MM:SS.FFFFFFFZ"),
    "offset": text("YYYY-MM-DD HH:MM:SS+HH:MM"),
    "offsetDigits": text("YYYY-MM-DDTHH:MM:SS[.SSSSSS]+HH:MM"),
    "minutes": text("YYYY-MM-DD HH:MM"),
    "local": text("YYYY-MM-DD HH:MM:SS", "Europe/Bratislava"),
    "localMinutes": text("YYYY-MM-DD HH:MM", "America/New_York"),
    "day": text("YYYY-MM-DD"),
    "localDay": text("YYYY-MM-DD", "America/New_York"),
    "time": text("HH:MM"),
    "timeDigits": text("HH:MM:SS[.SSSSSS]"),
    **{f"numeric{scale}": doubles("NUMERIC", scale) for scale in [0, 2, 4, 6, 18]},
    **{f"real{scale}": doubles("REAL", scale) for scale in [0, 2, 3]},
    "digits": Number("DECIMAL_TEXT", None, digits_text, lambda stored: WIDE.create_decimal(stored), has_abs=False),
    "bool": Plain("bool", "BOOLEAN", lambda rng: rng.random() < 0.5, lambda value, rng: int(value), lambda stored: stored == 1),
    **{words: truth(words) for words in ["1/0", "true/false", "True/False", "t/f", "Y/N", "YES/NO"]},
    "uuid": identity("UUID_TEXT", str),
    "uuidBytes": identity("UUID_BLOB", lambda value: value.bytes, lambda stored: uuid.UUID(bytes=stored)),
    "uuidCapitals": identity("UUID_TEXT_CAPITALS", lambda value: str(value).upper()),
    "uuidHex": identity("UUID_TEXT_COMPACT", lambda value: value.hex),
    "uuidBraces": identity("UUID_TEXT_CAPITALS_BRACES", lambda value: "{" + str(value).upper() + "}"),
    "text": Text("TEXT", str.encode),
    "nocase": Text("TEXT COLLATE NOCASE", nocase),
    "rtrim": Text("TEXT COLLATE RTRIM", lambda text: text.rstrip(" ").encode()),
    "padded": Text("TEXT_PADDED(10)", str.encode, lambda text: text.ljust(10), lambda stored: stored.rstrip(" "), blanks=False),
    "textBytes": Text("TEXT_BLOB", str.encode, str.encode, bytes.decode),
    "cents": Number("DECIMAL_INTEGER(2)", 2, lambda rng: rng.randrange(-(10**7), 10**7), lambda stored: Decimal(stored).scaleb(-2)),
}

# Tables of several programs: the declared type of each column, and its form.
TABLES = {
    "auth_session": [("last_login", "datetime", "python"), ("created", "datetime", "python"), ("birthday", "date", "day"), ("opens", "time", "timeDigits"),
        ("price", "decimal", "numeric2"), ("weight", "real", "real3"), ("is_active", "bool", "bool"), ("token", "char(32)", "uuidHex"),
        ("username", "varchar(150)", "text"), ("email", "varchar(254) COLLATE NOCASE", "nocase"), ("label", "text COLLATE RTRIM", "rtrim"), ("session_data", "blob", "textBytes")],
    "rails_orders": [("created_at", "datetime(6)", "rails"), ("updated_at", "datetime(6)", "rails"), ("due_on", "date", "day"), ("total", "decimal(10,2)", "numeric2"), ("tax", "decimal(12, 4)", "numeric4"), ("score", "float", "real2"), ("active", "boolean", "t/f"),
        ("uuid", "varchar(36)", "uuid"), ("name", "varchar COLLATE \"NOCASE\"", "nocase"), ("note", "text", "text")],
    "ZEVENT": [("ZCREATED", "TIMESTAMP", "since2001"), ("ZMODIFIED", "TIMESTAMP", "since2001"), ("ZAMOUNT", "DECIMAL", "numeric2"), ("ZRATIO", "FLOAT", "real2"), ("ZDONE", "INTEGER", "bool"), ("ZUUID", "BLOB", "uuidBytes"),
        ("ZOLD", "VARCHAR", "uuidCapitals")],
    "room_note": [("createdAt", "INTEGER", "milliseconds"), ("syncedAt", "INTEGER", "seconds"), ("seenAt", "TEXT", "utc"), ("editedAt", "TEXT", "letter"),
        ("price", "TEXT", "digits"), ("cents", "INTEGER", "cents"), ("ratio", "REAL", "real2"), ("done", "INTEGER", "bool"), ("uid", "TEXT", "uuid"), ("flag", "TEXT", "true/false")],
    "Access Orders": [("Order Date", "DATETIME", "blank"), ("Ship Date", "DATETIME", "blank"), ("Due", "DATE", "day"), ("At", "TIME", "time"), ("Unit Price", "MONEY", "numeric4"), ("Freight", "CURRENCY", "numeric4"), ("Discount", "DOUBLE", "real2"), ("Paid", "VARCHAR(1)", "Y/N"), ("Sent", "VARCHAR(3)", "YES/NO"), ("ID2", "GUID", "uuidBraces"), ("Part No", "CHAR(10)", "padded")],
    "efcore": [("Created", "TEXT", "net"), ("Changed", "TEXT", "netUTC"), ("Sent", "TEXT", "offset"), ("Got", "TEXT", "offsetDigits"), ("Total", "TEXT", "digits"), ("Cents", "BIGINT", "cents"), ("Key", "TEXT", "uuidCapitals"), ("Flag", "TEXT", "True/False"),
        ("Is Old", "CHAR(1)", "1/0"), ("Code", "CHAR(10)", "padded"), ("Label", "TEXT COLLATE RTRIM", "rtrim"), ("Body", "BLOB", "textBytes"), ("Name", "TEXT COLLATE NOCASE", "nocase")],
    "log": [
        ("iso", "TEXT", "iso"), ("us", "BIGINT", "microseconds"), ("ns", "BIGINT", "nanoseconds"), ("jd", "REAL", "julian"), ("jd2", "", "julian"),
        ("st", "TEXT", "secondsText"), ("mt", "VARCHAR(20)", "millisecondsText"),
        ("n0", "NUMERIC", "numeric0"), ("n0b", "NUMBER(19)", "numeric0"), ("n6", "", "numeric6"), ("n6b", "NUMERIC(30, 6)", "numeric6"), ("n18", "NUMERIC(30,18)", "numeric18"),
        ("n18b", "", "numeric18"), ("code", "NCHAR (10)", "padded"), ("body", "", "textBytes"), ("label", "RTRIMMED TEXT COLLATE rtrim", "rtrim"), ("r0", "REAL", "real0"), ("r0b", "DOUBLE PRECISION", "real0"), ("r3", "DOUBLE", "real3"),
    ],
    "station": [
        ("departs", "DATETIME", "local"), ("arrives", "DATETIME", "local"), ("stop", "DATETIME", "localMinutes"), ("day", "DATE", "localDay"),
        ("minute", "DATETIME", "minutes"), ("us", "BIGINT", "microseconds"), ("ns", "", "nanoseconds"), ("offset", "TIMESTAMPTZ", "offset"),
    ],
}


# Tables that only a schema makes odd, and the options behind their columns.
ODD = {
    'select "all" from': ([("group", "INTEGER", "seconds"), ('a "quoted" name', "TEXT", "blank"), ("dotted.name", "DECIMAL(8,2)", "numeric2"), ("[x]", "VARCHAR(5)", "Y/N"), ("ünï cödé", "TEXT", "uuid")], ""),
    "strict.store": ([("made", "TEXT", "blank"), ("stamp", "INTEGER", "milliseconds"), ("ratio", "REAL", "real2"), ("raw", "BLOB", "textBytes"), ("guid", "BLOB", "uuidBytes")], "STRICT"),
    "without row ids": ([("made", "", "utc"), ("price", "NUMERIC(9,2)", "numeric2"), ("done", "BOOLEAN", "bool"), ("name", "TEXT COLLATE NOCASE", "nocase")], "WITHOUT ROWID"),
}

# Columns of two forms at once, of which nobody can say what they are, and the forms.
MIXED = [
    ("seen", "DATETIME", ["blank", "letter"], True), ("synced_at", "INTEGER", ["seconds", "milliseconds"], False), ("flag", "TEXT", ["Y/N", "t/f"], True),
    ("guid", "TEXT", ["uuidCapitals", "uuid"], False), ("born", "DATE", ["day", "minutes"], True), ("zoned", "TEXT", ["utc", "blank"], True), ("logged_at", "TEXT", ["iso", "python"], False),
]

# Dates that are none, among others.
BROKEN = [("date", "DATE", "day", ["0000-00-00", "2023-02-29", "2024-13-01"]), ("opens", "TIME", "time", ["24:00", "12:60"]), ("stamp", "DATETIME", "blank", ["2016-12-31 23:59:60", "2024-01-01 24:00:00"]),
    ("sent", "TEXT", "offset", ["2024-01-01 10:00:00+25:00"]), ("id", "TEXT", "uuid", ["6ba7b810-9dad-11d1-80b4-00c04fd430c", ""])]


def inspected(name, declared, form):
    """What an inspection may say of a column: the types of which one is named, none where nobody can know, and the counted forms."""
    said = FORMS[form].declared
    if form in ("local", "localMinutes", "localDay"):
        said = said.rpartition(" ")[0]  # nothing in the values tells the zone
    if form == "cents":
        return ["INTEGER"], []
    if form.startswith("real"):
        return ["REAL"], []
    if form.startswith("numeric") and "," not in declared:
        return None, []  # computed doubles, whose digits nobody has declared
    if (form in ("microseconds", "nanoseconds") and name in ("us", "ns")) or form in ("secondsText", "millisecondsText") or form == "uuidHex":
        return [], [said]
    if form == "seconds" and name == "group":
        return [], [said]
    return [said], []


def instants(form, rng, count):
    """Instants that the form can say, some of them equal, some at the ends of time."""
    low, high = form.days
    edges = [0, -1, 1, 951_782_400, 951_868_799, 1_792_888_200, 1_792_891_800, 1_774_745_999, 1_774_746_000, low, high - 1]
    made = []
    while len(made) < count:
        kind = rng.random()
        if made and kind < 0.2:
            ns = rng.choice(made)
        elif kind < 0.35:
            ns = rng.choice(edges) * NANO
        elif kind < 0.45:
            ns = rng.randrange(low * NANO, high * NANO)
        elif kind < 0.5:
            ns = high * NANO - 1
        else:
            ns = rng.randrange(max(low, -600_000_000) * NANO, min(high, 4_000_000_000) * NANO)
        if rng.random() < 0.3:
            ns -= ns % NANO
        ns -= ns % form.unit
        if hasattr(form, "settle"):
            ns = form.settle(ns)
        if not low * NANO <= ns < high * NANO:
            continue
        made.append(ns)
    return made


# ---- Criteria


class Cell:
    """A value as the library reads it, which filters compare, and exactly, by which rows are ordered."""

    def __init__(self, exact, value):
        self.exact, self.value = exact, value


def parts(cell):
    """The calendar of a date in UTC."""
    at = civil(cell.exact)
    monday = (at - timedelta(days=at.weekday())).replace(hour=0, minute=0, second=0) if at - datetime.min >= timedelta(days=at.weekday()) else None
    return {"year": at.year, "month": at.month, "day": at.day, "hour": at.hour, "weekday": at.isoweekday(), "week": monday}


class Maker:
    def __init__(self, column, form, cells, rng):
        self.column, self.form, self.cells, self.rng = column, form, cells, rng
        self.known = [cell for cell in cells.values() if cell]

    def literal(self):
        """A value of a row, or one a few units beside it, that the form can say."""
        cell = self.rng.choice(self.known)
        return cell.value if self.rng.random() < 0.75 else self.form.beside(cell, self.rng)

    def leaf(self):
        kind, value = self.rng.randrange(8), self.form.json
        if kind == 0:
            return {"isNull": self.column}, lambda cell: cell is None
        if kind == 1:
            low, high = self.literal(), self.literal()
            return (
                {"between": self.column, "from": {"value": value(low)}, "to": {"value": value(high)}},
                lambda cell: cell is not None and low <= cell.value <= high,
            )
        if kind == 2:
            listed = [self.literal() for _ in range(self.rng.randrange(4))]
            values, has_null = [value(one) for one in listed], self.rng.random() < 0.2
            return {"in": self.column, "values": values + ([None] if has_null else [])}, lambda cell: has_null if cell is None else cell.value in listed
        made = self.form.functions(self.column, self.known, self.rng) if kind >= 6 else None
        if made:
            return made
        sought, sign = self.literal(), self.rng.choice(["==", "!=", "<", "<=", ">", ">="])
        test = {
            "==": lambda a: a == sought, "!=": lambda a: a != sought, "<": lambda a: a < sought, "<=": lambda a: a <= sought, ">": lambda a: a > sought,
            ">=": lambda a: a >= sought,
        }[sign]
        return {"compare": self.column, "is": sign, "to": {"value": value(sought)}}, lambda cell: sign == "!=" if cell is None else test(cell.value)

    def condition(self, depth):
        kind = self.rng.random()
        if depth == 0 or kind < 0.5:
            return self.leaf()
        if kind < 0.65:
            inner, test = self.condition(depth - 1)
            return {"not": inner}, lambda cell: not test(cell)
        made = [self.condition(depth - 1) for _ in range(self.rng.randrange(1, 4))]
        if kind < 0.85:
            return {"all": [c for c, _ in made]}, lambda cell: all(test(cell) for _, test in made)
        return {"any": [c for c, _ in made]}, lambda cell: any(test(cell) for _, test in made)

    def case(self, table, stored):
        condition, test = self.condition(2)
        if self.rng.random() < 0.2:
            report = self.form.report(self.column, condition, [cell for cell in self.cells.values() if test(cell)])
            if report:
                return {"version": 1, "entity": table, "filter": condition} | report[0], {"rows": report[1]}
        descending, nulls = self.rng.random() < 0.5, self.rng.choice([None, "first", "last"])
        found = [key for key, cell in self.cells.items() if test(cell)]
        nulls_first = nulls == "first" if nulls else not descending
        # Equal values are ordered by the key.
        falling = self.rng.random() < 0.5
        found.sort(reverse=falling)
        some = sorted((k for k in found if self.cells[k]), key=lambda k: self.order(k, stored), reverse=descending)
        none = [k for k in found if not self.cells[k]]
        order = {"by": self.column, "direction": "descending" if descending else "ascending"}
        if nulls:
            order["nulls"] = nulls
        by_key = {"by": "id", "direction": "descending" if falling else "ascending"}
        criteria = {"version": 1, "entity": table, "filter": condition, "order": [order, by_key]}
        keys = none + some if nulls_first else some + none
        if self.rng.random() < 0.3:
            offset, limit = self.rng.randrange(5), self.rng.randrange(1, 9)
            criteria |= {"offset": offset, "limit": limit}
            keys = keys[offset : offset + limit]
        return criteria, {"keys": keys}

    def order(self, key, stored):
        # Julian days order as the doubles that they are.
        return Fraction(stored[key]) if self.form.declared == "DATETIME_JULIAN_DAYS" else self.cells[key].exact


def quote(name):
    return '"' + name.replace('"', '""') + '"'


def doubtful(store, rng):
    """Tables whose values have no one form, and what is to be said of them."""
    made = []
    for table, columns in [("mixed", [(n, d, [(f, None) for f in forms], isApart) for n, d, forms, isApart in MIXED]), ("broken", [(n, d, [(f, None), (None, wrong)], True) for n, d, f, wrong in BROKEN])]:
        store.execute(f"CREATE TABLE {table} (row INTEGER PRIMARY KEY, " + ", ".join(f'"{n}" {d}' for n, d, _, _ in columns) + ")")
        said, values = [], []
        for name, _, parts, isApart in columns:
            column, counts = [], []
            for form, wrong in parts:
                some = rng.choices(wrong, k=8) if wrong else [v for v, _ in FORMS[form].stored(rng, 40) if v is not None]
                column += some
                counts.append(len(some))
            rng.shuffle(column)
            values.append(column + [None] * (100 - len(column)))
            types = [FORMS[form].declared for form, _ in parts if form]
            counted = {type: [count, sum(counts) - count] for type, count in zip(types, counts)} if isApart else {}
            said.append({"name": name, "type": "", "named": [], "counted": counted})
        for row in zip(*values):
            store.execute(f"INSERT INTO {table} VALUES (NULL{', ?' * len(columns)})", row)
        made.append({"table": table, "isDoubtful": True, "columns": said})
    return made


def main():
    folder = Path(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(2**32)
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    rng = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "store.sqlite"
    path.unlink(missing_ok=True)
    store = sqlite3.connect(path)
    forms = []
    with open(folder / "values.jsonl", "w") as values, open(folder / "cases.jsonl", "w") as cases:
        for table, (columns, options) in ({table: (columns, "") for table, columns in TABLES.items()} | ODD).items():
            quoted = [quote(name) for name, _, _ in columns]
            store.execute(f"CREATE TABLE {quote(table)} (id INTEGER PRIMARY KEY, " + ", ".join(f"{q} {d}" for q, (_, d, _) in zip(quoted, columns)) + f") {options}")
            rows = 60
            stored = {}
            for name, _, form in columns:
                stored[name] = dict(zip(range(1, rows + 1), FORMS[form].stored(rng, rows)))
            for key in range(1, rows + 1):
                row = [stored[name][key][0] for name, _, _ in columns]
                store.execute(f'INSERT INTO {quote(table)} VALUES (?{", ?" * len(columns)})', [key] + row)
            said = []
            for name, declared, form in columns:
                named, counted = inspected(name, declared, form)
                known = sum(1 for value, _ in stored[name].values() if value is not None)
                said.append({"name": name, "type": FORMS[form].declared, "named": named, "counted": {type: [known, 0] for type in counted}})
            forms.append({"table": table, "columns": said})
            for name, _, form in columns:
                form = FORMS[form]
                raw = dict(store.execute(f"SELECT id, {quote(name)} FROM {quote(table)}"))
                if not isinstance(form, Form):
                    stored[name] = {key: (value, None if value is None else form.exact(value)) for key, value in raw.items()}
                cells = {key: None if exact is None else form.cell(exact) for key, (_, exact) in stored[name].items()}
                for key, cell in cells.items():
                    values.write(json.dumps({"table": table, "column": name, "id": key} | (form.said(cell) if cell else {})) + "\n")
                maker = Maker({"field": [name]} if "." in name else name, form, cells, rng)
                for _ in range(count):
                    criteria, answer = maker.case(table, raw)
                    cases.write(json.dumps({"criteria": criteria} | {"answer": answer}) + "\n")
        forms += doubtful(store, rng)
    store.commit()
    store.close()
    (folder / "forms.json").write_text(json.dumps(forms))
    print(f"seed {seed}, {sum(len(c) for c in TABLES.values()) + sum(len(c) for c, _ in ODD.values())} columns, {count} criteria for each")


main()
