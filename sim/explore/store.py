# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The store: every point that was ever solved, by the hash of all that its numbers depend on.

One SQLite file. Only `ppu explore` itself writes to it, any number of them on one machine at a time;
the workers write files of their own (batches.py). docs/guide/explore.md has the tables.
"""
import hashlib
import json
import sqlite3
import time

from refusal import ENVIRONMENT, Refusal

SCHEMA_VERSION = 1
# For how long a statement waits for other processes at the store.
SECONDS_FOR_OTHERS = 120
SCHEMA = """
CREATE TABLE IF NOT EXISTS point (
  hash TEXT PRIMARY KEY,      -- SHA-256 of the identity, 32 hexadecimal digits
  identity TEXT NOT NULL,     -- JSON: version, specification, back end, problem, program, options, keys
  words TEXT NOT NULL,        -- JSON: what follows 'ppu profile' to repeat the point
  state TEXT NOT NULL,        -- 'ok' or 'failed'
  result TEXT,                -- JSON: what 'ppu profile --json' says of it; NULL if it failed
  error TEXT                  -- the sentence of a point that failed
);
CREATE TABLE IF NOT EXISTS run (
  id TEXT PRIMARY KEY,        -- host, process and nanosecond
  hash TEXT NOT NULL,         -- of the point
  ended REAL NOT NULL,        -- seconds since 1970
  seconds REAL NOT NULL,      -- that the point took
  state TEXT NOT NULL         -- 'ok' or 'failed'
);
CREATE INDEX IF NOT EXISTS run_of_point ON run (hash);
"""


def hash_of(identity):
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class Store:
    def __init__(self, path):
        self.path = path
        try:
            self.base = sqlite3.connect(path, timeout=SECONDS_FOR_OTHERS, isolation_level=None,
                                        check_same_thread=False)
            self.write_ahead()
            version = self.base.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, SCHEMA_VERSION):
                raise Refusal(f"{path}: a store of version {version}, expected {SCHEMA_VERSION}")
            self.base.executescript(SCHEMA)
            self.base.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        except sqlite3.Error as error:
            raise Refusal(f"{path}: {error}, expected a store of ppu explore or a place for one",
                          ENVIRONMENT) from None

    def write_ahead(self):
        """Readers do not wait for the writer. This one statement does not wait for others by itself."""
        end = time.monotonic() + SECONDS_FOR_OTHERS
        while True:
            try:
                return self.base.execute("PRAGMA journal_mode=WAL")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def close(self):
        self.base.close()

    def states(self, hashes):
        """{hash: 'ok' or 'failed'} of those that there are."""
        found, hashes = {}, list(hashes)
        for first in range(0, len(hashes), 500):
            some = hashes[first:first + 500]
            marks = ",".join("?" * len(some))
            found.update(self.base.execute(
                f"SELECT hash, state FROM point WHERE hash IN ({marks})", some))
        return found

    def add(self, lines):
        """Takes lines of result files. The first success of a point stays."""
        self.base.execute("BEGIN IMMEDIATE")
        try:
            for line in lines:
                state = "failed" if line.get("error") else "ok"
                self.base.execute("INSERT OR IGNORE INTO run VALUES (?, ?, ?, ?, ?)",
                                  (line["run"], line["hash"], line["ended"], line["seconds"], state))
                self.base.execute(
                    "INSERT INTO point VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO UPDATE SET "
                    "state = excluded.state, result = excluded.result, error = excluded.error "
                    "WHERE point.state = 'failed'",
                    (line["hash"], json.dumps(line["identity"]), json.dumps(line["words"]), state,
                     json.dumps(line["result"]) if state == "ok" else None, line.get("error")))
            self.base.execute("COMMIT")
        except BaseException:
            # Ctrl-C may come when all of it is there already.
            if self.base.in_transaction:
                self.base.execute("ROLLBACK")
            raise

    def points(self, hashes):
        """{hash: {config, identity, words, result}} of those that are ok."""
        found, hashes = {}, list(hashes)
        for first in range(0, len(hashes), 500):
            some = hashes[first:first + 500]
            marks = ",".join("?" * len(some))
            for name, identity, words, result in self.base.execute(
                    "SELECT hash, identity, words, result FROM point "
                    f"WHERE state = 'ok' AND hash IN ({marks})", some):
                identity = json.loads(identity)
                found[name] = {"config": identity["config"], "identity": identity,
                               "words": json.loads(words), "result": json.loads(result)}
        return found

    def errors(self, hashes):
        failed = [name for name, state in self.states(hashes).items() if state == "failed"]
        return [(json.loads(words), error) for name in failed for words, error in
                self.base.execute("SELECT words, error FROM point WHERE hash = ?", (name,))]

    def seconds_per_point(self, problem, backend):
        """Of the last runs of a problem on a back end; None if there was none."""
        return self.base.execute(
            "SELECT avg(seconds) FROM (SELECT seconds FROM run JOIN point USING (hash) WHERE "
            "json_extract(identity, '$.problem') = ? AND json_extract(identity, '$.backend') = ? "
            "AND run.state = 'ok' ORDER BY ended DESC LIMIT 50)", (problem, backend)).fetchone()[0]

    def repeated(self):
        """How many points were solved more than once."""
        return self.base.execute("SELECT count(*) FROM (SELECT hash FROM run WHERE state = 'ok' "
                                 "GROUP BY hash HAVING count(*) > 1)").fetchone()[0]


def now():
    return time.time()
