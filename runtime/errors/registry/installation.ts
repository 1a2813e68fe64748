import type { ErrorEntry } from './entry.ts'

/** Errors of the installation itself. */
export const installation = {
  config_invalid: {
    status: 500,
    title: 'The configuration is invalid',
    cause: 'An environment variable or flag is missing or has a value that is not allowed. The detail names it.',
    remedy: 'Correct the setting. `tocsin <command> --help` lists all settings.',
  },
  vault_key_wrong: {
    status: 500,
    title: 'The vault key does not belong to this store',
    cause: "The store's secrets are encrypted with another key, or some still are.",
    remedy:
      'Set TOCSIN_VAULT_KEY (or <data>/vault.key) to the key that the store has now. To replace that key, also give it as TOCSIN_VAULT_KEY_OLD (or <data>/vault.key.old).',
  },
  secret_unreadable: {
    status: 500,
    title: 'A stored secret cannot be decrypted',
    cause: 'The ciphertext was altered, moved, or encrypted with another key.',
    remedy: "Save the connection's secrets again. For a webhook, rotate its secret.",
  },
  store_locked: {
    status: 500,
    title: 'The data folder is in use',
    cause: 'Another Tocsin process owns the embedded store.',
    remedy: 'Stop that process, or use another --data. Other commands need no restart: they talk to it over HTTP.',
  },
  folder_unusable: {
    status: 500,
    title: 'A folder or file cannot be used',
    cause: 'Tocsin cannot create, read or write it. The detail names the path and the error of the operating system.',
    remedy: 'Let the user that runs Tocsin read and write it, or name another folder with --data.',
  },
  disk_full: {
    status: 500,
    title: 'The disk is full',
    cause: 'Tocsin has no disk space for the files that it writes at the start. The detail names the path.',
    remedy: 'Free some disk space (df -h, df -i), or name a folder on another disk with --data.',
  },
  store_damaged: {
    status: 500,
    title: 'The database is damaged',
    cause: 'The file does not have what SQLite wrote: the disk failed, or another program wrote to the file. The detail says what SQLite found.',
    remedy:
      'Keep a copy of the data folder. Restore a backup, or save what can be read: sqlite3 tocsin.db .recover | sqlite3 recovered.db. See docs/guides/backup.md.',
  },
  store_incomplete: {
    status: 500,
    title: 'Acknowledged data is missing from the store',
    cause:
      'Files of the data folder were removed, replaced or truncated (tocsin.mark records how many commits there were), or collections of the MongoDB database were dropped.',
    remedy:
      'Restore the right files (tocsin.db with its tocsin.db-wal, or a backup). To continue without the missing data, run tocsin store accept-loss. See docs/guides/backup.md.',
  },
  store_newer: {
    status: 500,
    title: 'The store was written by a newer Tocsin',
    cause: 'The schema version in the store is higher than this version knows.',
    remedy: 'Run the newer version. To go back to this one, restore a backup from before the upgrade: see docs/guides/backup.md.',
  },
  store_unknown: {
    status: 500,
    title: 'The store has a schema that no release of Tocsin has made',
    cause: 'A development version wrote it before the first release, or it belongs to another program.',
    remedy:
      'Start with an empty data folder (--data), or with another MongoDB database. Tocsin cannot read the old store; it was not changed. Keep it if you need what it holds.',
  },
  store_unavailable: {
    status: 503,
    title: 'The store does not answer',
    cause: 'The database cannot be reached, or the disk is full.',
    remedy: 'Nothing was acknowledged: send the request again. Operators: see the log.',
  },
  queue_unavailable: {
    status: 503,
    title: 'The queue does not answer',
    cause: 'Redis cannot be reached, does not answer in time, refuses commands, or the queue was closed.',
    remedy: 'Nothing is lost: alerts wait in the store, and Tocsin enqueues them again. Operators: check Redis.',
  },
  not_ready: {
    status: 503,
    title: 'This process cannot serve now',
    cause: 'The store or the queue does not answer, or the process stops. The detail says which.',
    remedy: 'Send requests elsewhere until /readyz answers 200. Operators: see the log.',
  },
  overloaded: {
    status: 503,
    title: 'Tocsin is overloaded',
    cause: 'Too many requests are waiting for the store, or for a process that checks playbooks or draws reports.',
    remedy: 'Send the request again after Retry-After seconds.',
  },
  pdf_not_drawn: {
    status: 503,
    title: 'The PDF could not be drawn',
    cause: 'Drawing the report took too long or too much memory, or its process ended.',
    remedy: 'If the machine was busy, try again. The Markdown and the JSON export have the same content.',
  },
  server_unreachable: {
    status: 502,
    title: 'Tocsin does not answer',
    cause: 'No Tocsin listens at that address.',
    remedy: 'Start it with `tocsin up`. If it runs as another user or on another machine, give `--url`.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    cause: 'This is a bug in Tocsin. The log has it under the request id.',
    remedy: 'Report it with the request id.',
  },
} as const satisfies Record<string, ErrorEntry>
