import type { DatabaseSync } from 'node:sqlite'
import { TocsinError } from '../../../errors/index.ts'
import { baselineVersion, mustKnow } from '../../schema-version.ts'

/**
 * The tables of a new store.
 *
 * What an investigation changes about an alert is in a separate table, `alert_states`. So a change of status
 * writes a few hundred bytes, and not the alert's content again.
 */
const baseline = `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;
  CREATE TABLE counters (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID, STRICT;
  CREATE TABLE identity (one INTEGER PRIMARY KEY CHECK (one = 1), store TEXT NOT NULL, floor INTEGER NOT NULL) STRICT;
  INSERT INTO identity (one, store, floor) VALUES (1, lower(hex(randomblob(16))), 0);
  -- How many commits and numbers there were, to compare with tocsin.mark. Most commits write the page of the counters anyway.
  INSERT INTO counters (key, value) VALUES ('#commits', 0), ('#numbers', 0);

  CREATE TABLE organizations (
    id TEXT PRIMARY KEY, code TEXT NOT NULL, folded TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
    created_at INTEGER NOT NULL, created_by TEXT NOT NULL
  ) STRICT;
  CREATE TABLE providers (
    folded TEXT PRIMARY KEY, code TEXT NOT NULL, name TEXT NOT NULL, created_at INTEGER NOT NULL, created_by TEXT NOT NULL
  ) WITHOUT ROWID, STRICT;
  CREATE TABLE principals (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, permissions TEXT NOT NULL, organizations TEXT, created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE keys (
    id TEXT PRIMARY KEY, principal TEXT NOT NULL REFERENCES principals (id), name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL, revoked_at INTEGER
  ) STRICT;

  CREATE TABLE connections (
    id TEXT PRIMARY KEY, organization TEXT, instance TEXT NOT NULL, revision INTEGER NOT NULL, document TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX connections_instance ON connections (ifnull(organization, ''), instance);
  CREATE TABLE access_tokens (
    connection TEXT PRIMARY KEY, version INTEGER NOT NULL, sealed TEXT, expires_at INTEGER,
    holder TEXT, leased_until INTEGER, refusal TEXT, refused_until INTEGER
  ) WITHOUT ROWID, STRICT;

  CREATE TABLE artifacts (
    digest TEXT NOT NULL, owner TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (digest, owner)
  ) STRICT;
  CREATE TABLE activations (
    kind TEXT NOT NULL, owner TEXT NOT NULL, key TEXT NOT NULL, revision INTEGER NOT NULL, digest TEXT NOT NULL, name TEXT NOT NULL,
    source TEXT NOT NULL, folder_digest TEXT, activated_at INTEGER NOT NULL, activated_by TEXT, withdrawn INTEGER NOT NULL,
    PRIMARY KEY (kind, owner, key, revision)
  ) WITHOUT ROWID, STRICT;

  CREATE TABLE alerts (
    id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, organization TEXT NOT NULL, organization_code TEXT NOT NULL,
    provider TEXT NOT NULL, provider_folded TEXT NOT NULL, numbered_as TEXT NOT NULL, sequence INTEGER NOT NULL,
    alert_id TEXT NOT NULL UNIQUE, type TEXT, type_key TEXT, content TEXT NOT NULL, name TEXT NOT NULL,
    created_at INTEGER NOT NULL, created_at_source INTEGER, created_by TEXT NOT NULL,
    idempotency_key TEXT, idempotency_digest TEXT
  ) STRICT;
  CREATE INDEX alerts_created ON alerts (created_at, uuid);
  CREATE INDEX alerts_organization ON alerts (organization, created_at, uuid);
  CREATE UNIQUE INDEX alerts_idempotency ON alerts (created_by, idempotency_key) WHERE idempotency_key IS NOT NULL;
  CREATE VIRTUAL TABLE alert_words USING fts5 (words, content = '', columnsize = 0, detail = none, tokenize = 'ascii');
  CREATE TABLE alert_states (
    id INTEGER PRIMARY KEY REFERENCES alerts (id), status INTEGER NOT NULL, retry_count INTEGER NOT NULL, modified_at INTEGER NOT NULL,
    investigator TEXT, case_uuid TEXT, case_id TEXT, completed_at INTEGER, waiting_since INTEGER, retry_at INTEGER, duplicate_of TEXT,
    held_by TEXT, preparing TEXT
  ) STRICT;
  CREATE INDEX alert_states_waiting ON alert_states (waiting_since) WHERE waiting_since IS NOT NULL;
  CREATE INDEX alert_states_retry ON alert_states (retry_at) WHERE retry_at IS NOT NULL;
  CREATE INDEX alert_states_duplicate ON alert_states (duplicate_of) WHERE duplicate_of IS NOT NULL;
  CREATE INDEX alert_states_held ON alert_states (held_by) WHERE held_by IS NOT NULL;
  CREATE TABLE fingerprints (
    organization TEXT NOT NULL, type TEXT NOT NULL, digest TEXT NOT NULL, alert TEXT NOT NULL, created_at INTEGER NOT NULL,
    closes_at INTEGER NOT NULL,
    PRIMARY KEY (organization, type, digest)
  ) WITHOUT ROWID, STRICT;
  CREATE INDEX fingerprints_closes ON fingerprints (closes_at);

  CREATE TABLE sessions (
    id TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, started_at INTEGER NOT NULL, heartbeat_at INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT;
  CREATE TABLE runs (
    id TEXT PRIMARY KEY, alert TEXT NOT NULL, organization TEXT NOT NULL, type TEXT NOT NULL, attempt INTEGER NOT NULL, undo TEXT,
    state TEXT NOT NULL, epoch INTEGER NOT NULL, owner TEXT NOT NULL, pins TEXT NOT NULL, case_uuid TEXT NOT NULL, case_id TEXT NOT NULL,
    started_at INTEGER NOT NULL, ended_at INTEGER, reason TEXT, failure TEXT, retry_at INTEGER, cancelled TEXT,
    wake_at INTEGER, woken_at INTEGER, held_by TEXT, held_since INTEGER,
    deaths INTEGER NOT NULL DEFAULT 0, deaths_total INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID, STRICT;
  CREATE INDEX runs_started ON runs (started_at, id);
  CREATE INDEX runs_failed ON runs (started_at, id) WHERE state = 'failed';
  CREATE INDEX runs_running ON runs (owner) WHERE state = 'running';
  CREATE INDEX runs_cancelled ON runs (owner) WHERE state = 'running' AND cancelled IS NOT NULL;
  CREATE INDEX runs_waiting ON runs (wake_at) WHERE state = 'waiting' AND held_by IS NULL;
  CREATE INDEX runs_held ON runs (held_by) WHERE held_by IS NOT NULL;
  CREATE TABLE journal (
    run TEXT NOT NULL, position INTEGER NOT NULL, epoch INTEGER NOT NULL, format INTEGER NOT NULL, records TEXT NOT NULL,
    PRIMARY KEY (run, position)
  ) WITHOUT ROWID, STRICT;
  CREATE TABLE outputs (run TEXT NOT NULL, name TEXT NOT NULL, json TEXT NOT NULL, UNIQUE (run, name)) STRICT;

  CREATE TABLE cases (
    uuid TEXT PRIMARY KEY, organization TEXT NOT NULL, number INTEGER NOT NULL, case_id TEXT NOT NULL UNIQUE, alerts TEXT NOT NULL,
    title TEXT NOT NULL, severity TEXT NOT NULL, status TEXT NOT NULL, disposition TEXT NOT NULL, assignee TEXT, summary TEXT,
    created_at INTEGER NOT NULL, modified_at INTEGER NOT NULL, join_key TEXT, marks TEXT, desk TEXT,
    attention INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX cases_created ON cases (created_at, uuid);
  -- Open cases, which are few among many closed ones.
  CREATE INDEX cases_open ON cases (created_at, uuid) WHERE status <> 'closed';
  CREATE INDEX cases_attention ON cases (created_at, uuid) WHERE attention = 1;
  CREATE INDEX cases_join ON cases (organization, join_key, modified_at) WHERE join_key IS NOT NULL;
  CREATE TABLE timeline (
    id INTEGER PRIMARY KEY, case_uuid TEXT NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, actor TEXT NOT NULL, body TEXT NOT NULL,
    UNIQUE (case_uuid, key)
  ) STRICT;
  CREATE TABLE mentions (
    principal TEXT NOT NULL, at INTEGER NOT NULL, case_uuid TEXT NOT NULL, key TEXT NOT NULL, organization TEXT NOT NULL,
    PRIMARY KEY (principal, at, case_uuid, key)
  ) WITHOUT ROWID, STRICT;

  CREATE TABLE decisions (
    id TEXT PRIMARY KEY, organization TEXT NOT NULL, run TEXT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL,
    asked_at INTEGER NOT NULL, deadline INTEGER NOT NULL, revision INTEGER NOT NULL, untold INTEGER NOT NULL, quota TEXT,
    document TEXT NOT NULL
  ) STRICT;
  CREATE INDEX decisions_asked ON decisions (asked_at, id);
  CREATE INDEX decisions_state ON decisions (state, asked_at, id);
  CREATE INDEX decisions_deadline ON decisions (deadline, id) WHERE state = 'open';
  CREATE INDEX decisions_untold ON decisions (id) WHERE untold = 1;
  CREATE INDEX decisions_run ON decisions (run);
  CREATE INDEX decisions_quota ON decisions (organization, quota) WHERE state = 'open' AND quota IS NOT NULL;

  CREATE TABLE policies (
    organization TEXT NOT NULL, revision INTEGER NOT NULL, document TEXT NOT NULL,
    PRIMARY KEY (organization, revision)
  ) WITHOUT ROWID, STRICT;
  CREATE TABLE quota_calls (
    owner TEXT NOT NULL, skill TEXT NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (owner, skill, key)
  ) WITHOUT ROWID, STRICT;
  CREATE INDEX quota_calls_skill ON quota_calls (owner, skill, at);
  CREATE INDEX quota_calls_at ON quota_calls (at);
  CREATE TABLE pauses (
    id TEXT PRIMARY KEY, organization TEXT, key TEXT NOT NULL, standing INTEGER NOT NULL, paused_at INTEGER NOT NULL, document TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX pauses_standing ON pauses (key) WHERE standing = 1;
  CREATE INDEX pauses_paused ON pauses (paused_at, id);

  CREATE TABLE webhooks (
    id TEXT PRIMARY KEY, organization TEXT, enabled INTEGER NOT NULL, revision INTEGER NOT NULL, document TEXT NOT NULL
  ) WITHOUT ROWID, STRICT;
  CREATE TABLE outbox (
    event TEXT PRIMARY KEY, organization TEXT NOT NULL, type TEXT NOT NULL, subject TEXT NOT NULL, at INTEGER NOT NULL
  ) WITHOUT ROWID, STRICT;
  CREATE TABLE deliveries (
    id TEXT PRIMARY KEY, webhook TEXT NOT NULL, organization TEXT, event TEXT NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL,
    created_at INTEGER NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL, last_attempt TEXT, since INTEGER NOT NULL, due_at INTEGER,
    holder TEXT, ended_at INTEGER
  ) STRICT;
  CREATE INDEX deliveries_due ON deliveries (webhook, due_at) WHERE state = 'waiting';
  CREATE INDEX deliveries_created ON deliveries (webhook, created_at, id);
  CREATE INDEX deliveries_ended ON deliveries (state, ended_at) WHERE ended_at IS NOT NULL;
`

/**
 * The baseline, then one migration for each later change. Each is one transaction. Never change a released
 * one: append another.
 */
export const steps: readonly string[] = [
  baseline,
  // An earlier version would call the systems of remote agents around them.
  `CREATE TABLE agents (
    id TEXT PRIMARY KEY, organization TEXT, token TEXT UNIQUE, public_key TEXT UNIQUE, revoked INTEGER NOT NULL, document TEXT NOT NULL
  ) WITHOUT ROWID, STRICT`,
  // See runtime/storage/words. The index before it is read for the last time here: its alerts go to the tail, from which segments are built.
  `CREATE TABLE alert_tail (id INTEGER PRIMARY KEY, created_at INTEGER NOT NULL, uuid TEXT NOT NULL, words TEXT NOT NULL) STRICT;
  CREATE TABLE alert_segments (
    segment INTEGER PRIMARY KEY, first_id INTEGER NOT NULL, last_id INTEGER NOT NULL, head TEXT NOT NULL
  ) STRICT;
  CREATE TABLE alert_pages (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  CREATE INDEX alert_states_status ON alert_states (status);
  CREATE VIRTUAL TABLE temp.alert_terms USING fts5vocab(main, alert_words, instance);
  INSERT INTO alert_tail SELECT a.id, a.created_at, a.uuid, ' ' || ifnull(w.words || ' ', '')
    FROM alerts a LEFT JOIN (SELECT doc, group_concat(term, ' ') AS words FROM temp.alert_terms GROUP BY doc) w ON w.doc = a.id;
  DROP TABLE temp.alert_terms;
  DROP TABLE alert_words`,
  // Which alerts of a segment have which status and playbook, and the alerts that have changed since. See runtime/storage/embedded/alerts/state-pages.ts.
  `CREATE TABLE alert_state_pages (segment INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE alert_moves (id INTEGER PRIMARY KEY) STRICT;
  CREATE TRIGGER alert_moved AFTER UPDATE OF status, investigator ON alert_states
    WHEN (OLD.status <> NEW.status OR OLD.investigator IS NOT NEW.investigator) AND NOT EXISTS (SELECT 1 FROM alert_tail WHERE id = NEW.id)
    BEGIN INSERT OR IGNORE INTO alert_moves (id) VALUES (NEW.id); END`,
  // The orders and filters of lists that would read every case, or every run.
  `CREATE INDEX cases_modified ON cases (modified_at, uuid);
  CREATE INDEX cases_severity ON cases (severity, created_at, uuid);
  CREATE INDEX cases_closed ON cases (created_at, uuid) WHERE status = 'closed';
  CREATE INDEX runs_type ON runs (type, started_at, id)`,
  // Filters that few cases or runs may pass. The triggers keep the tags, which change seldom.
  `CREATE INDEX cases_organization ON cases (organization, created_at, uuid);
  CREATE INDEX cases_disposition ON cases (disposition, created_at, uuid);
  CREATE INDEX cases_assignee ON cases (assignee, created_at, uuid) WHERE assignee IS NOT NULL;
  CREATE TABLE case_tags (tag TEXT NOT NULL, uuid TEXT NOT NULL, PRIMARY KEY (tag, uuid)) WITHOUT ROWID, STRICT;
  INSERT INTO case_tags SELECT DISTINCT t.value, c.uuid FROM cases c, json_each(c.desk, '$.tags') t WHERE c.desk IS NOT NULL;
  CREATE TRIGGER case_tagged AFTER UPDATE OF desk ON cases WHEN OLD.desk ->> '$.tags' IS NOT NEW.desk ->> '$.tags'
    BEGIN
      DELETE FROM case_tags WHERE uuid = NEW.uuid AND tag IN (SELECT value FROM json_each(OLD.desk, '$.tags'));
      INSERT OR IGNORE INTO case_tags SELECT value, NEW.uuid FROM json_each(NEW.desk, '$.tags');
    END;
  CREATE TRIGGER case_opened_tagged AFTER INSERT ON cases WHEN NEW.desk IS NOT NULL
    BEGIN INSERT OR IGNORE INTO case_tags SELECT value, NEW.uuid FROM json_each(NEW.desk, '$.tags'); END;
  CREATE INDEX runs_organization ON runs (organization, started_at, id);
  ALTER TABLE runs ADD COLUMN playbook TEXT GENERATED ALWAYS AS (pins ->> '$.playbook.name') VIRTUAL;
  CREATE INDEX runs_playbook ON runs (playbook, started_at, id)`,
  // The same triggers with DO NOTHING, which a statement with OR FAIL does not override as it does OR IGNORE. See decision 93.
  `DROP TRIGGER alert_moved;
  CREATE TRIGGER alert_moved AFTER UPDATE OF status, investigator ON alert_states
    WHEN (OLD.status <> NEW.status OR OLD.investigator IS NOT NEW.investigator) AND NOT EXISTS (SELECT 1 FROM alert_tail WHERE id = NEW.id)
    BEGIN INSERT INTO alert_moves (id) VALUES (NEW.id) ON CONFLICT DO NOTHING; END;
  DROP TRIGGER case_tagged;
  CREATE TRIGGER case_tagged AFTER UPDATE OF desk ON cases WHEN OLD.desk ->> '$.tags' IS NOT NEW.desk ->> '$.tags'
    BEGIN
      DELETE FROM case_tags WHERE uuid = NEW.uuid AND tag IN (SELECT value FROM json_each(OLD.desk, '$.tags'));
      INSERT INTO case_tags (tag, uuid) SELECT value, NEW.uuid FROM json_each(NEW.desk, '$.tags') WHERE true ON CONFLICT DO NOTHING;
    END;
  DROP TRIGGER case_opened_tagged;
  CREATE TRIGGER case_opened_tagged AFTER INSERT ON cases WHEN NEW.desk IS NOT NULL
    BEGIN INSERT INTO case_tags (tag, uuid) SELECT value, NEW.uuid FROM json_each(NEW.desk, '$.tags') WHERE true ON CONFLICT DO NOTHING; END`,
  // Filters that few decisions or deliveries may pass.
  `CREATE INDEX decisions_organization ON decisions (organization, asked_at, id);
  CREATE INDEX decisions_kind ON decisions (kind, state, asked_at, id);
  CREATE INDEX decisions_about_quota ON decisions (quota, asked_at, id) WHERE quota IS NOT NULL;
  CREATE INDEX deliveries_state ON deliveries (webhook, state, created_at, id);
  -- Cases of nobody too.
  DROP INDEX cases_assignee;
  CREATE INDEX cases_assignee ON cases (assignee, created_at, uuid)`,
  // The index of what cases say: see runtime/storage/embedded/cases/words. Cases up to 'sealed' are in segments. Triggers note cases up
  // to the time 'noted' that are new or say something else.
  `CREATE TABLE case_segments (segment INTEGER PRIMARY KEY, head TEXT NOT NULL) STRICT;
  CREATE TABLE case_pages (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE case_index (
    one INTEGER PRIMARY KEY CHECK (one = 1), sealed_at INTEGER NOT NULL, sealed_uuid TEXT NOT NULL, noted_at INTEGER NOT NULL
  ) STRICT;
  INSERT INTO case_index VALUES (1, -1, '', -1);
  CREATE TABLE case_moves (
    id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TRIGGER case_said AFTER UPDATE OF title, summary ON cases
    WHEN NEW.created_at <= (SELECT noted_at FROM case_index WHERE one = 1) AND (OLD.title <> NEW.title OR OLD.summary IS NOT NEW.summary)
    BEGIN
      DELETE FROM case_moves WHERE uuid = NEW.uuid;
      INSERT INTO case_moves (uuid, created_at) VALUES (NEW.uuid, NEW.created_at);
    END;
  CREATE TRIGGER case_opened_late AFTER INSERT ON cases WHEN NEW.created_at <= (SELECT noted_at FROM case_index WHERE one = 1)
    BEGIN
      DELETE FROM case_moves WHERE uuid = NEW.uuid;
      INSERT INTO case_moves (uuid, created_at) VALUES (NEW.uuid, NEW.created_at);
    END`,
  `CREATE TABLE fetches (
    id TEXT PRIMARY KEY, organization TEXT NOT NULL, enabled INTEGER NOT NULL, failing INTEGER NOT NULL, revision INTEGER NOT NULL,
    due_at INTEGER NOT NULL, holder TEXT, document TEXT NOT NULL, state TEXT NOT NULL
  ) WITHOUT ROWID, STRICT;
  CREATE INDEX fetches_due ON fetches (due_at, id) WHERE enabled = 1`,
  `CREATE TABLE acts (at INTEGER NOT NULL, id TEXT NOT NULL, document TEXT NOT NULL, PRIMARY KEY (at, id)) WITHOUT ROWID, STRICT;
  CREATE TABLE act_terms (term TEXT NOT NULL, at INTEGER NOT NULL, act TEXT NOT NULL, PRIMARY KEY (term, at, act)) WITHOUT ROWID, STRICT`,
  'ALTER TABLE fetches ADD COLUMN begun_at INTEGER',
  'ALTER TABLE keys ADD COLUMN expires_at INTEGER; ALTER TABLE keys ADD COLUMN last_used_at INTEGER',
  'ALTER TABLE principals ADD COLUMN created_by TEXT',
]

/**
 * Migrates a database to the schema of this version. The first of `known` makes version `baselineVersion`,
 * and each further one the next version.
 * @throws TocsinError `store_newer`, `store_unknown`
 */
export function migrate(database: DatabaseSync, known: readonly string[] = steps): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
  mustKnow(version, known.length)
  if (version === 0 && database.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined)
    throw new TocsinError('store_unknown', 'The database has tables but no schema version: another program made it.')
  for (const [index, sql] of known.entries()) {
    const next = baselineVersion + index
    if (next > version) database.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${next}; COMMIT`)
  }
}
