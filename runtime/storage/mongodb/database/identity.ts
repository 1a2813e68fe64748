import type { Db } from 'mongodb'
import { TocsinError } from '../../../errors/index.ts'
import { collectionsOf } from './collections.ts'

/** The collections of a database, with the UUID that MongoDB gave each one. Stored in `schema`, beside the version. */
interface IdentityDocument {
  readonly _id: 'identity'
  readonly collections: Readonly<Record<string, string>>
}

export type Identities = ReadonlyMap<string, string>

const ownName = 'schema'

/** Returns the UUIDs of the collections that exist now, by name. */
export async function identitiesOf(database: Db): Promise<Identities> {
  const found = await database.listCollections({}, { nameOnly: false }).toArray()
  return new Map(found.map((one) => [one.name, 'info' in one ? (one.info?.uuid?.toString('hex') ?? '') : '']))
}

function ours(database: Db): readonly string[] {
  return [ownName, ...Object.values(collectionsOf(database)).map(({ collectionName }) => collectionName)]
}

/** Returns the names of known collections that are missing, or were dropped and created again. */
export function changedAmong(known: Identities, now: Identities): readonly string[] {
  return [...known].filter(([name, identity]) => now.get(name) !== identity).map(([name]) => name)
}

/**
 * What a start finds. `restored`: the database was restored from a dump, because `schema` itself is another
 * collection.
 */
export interface Settled {
  readonly identities: Identities
  readonly restored: boolean
}

/**
 * Compares the collections with those that earlier processes noted, and notes new ones. After a restoration
 * it notes nothing. Then the caller calls `noteIdentity` once it has handled the restoration.
 * @throws TocsinError `store_incomplete` if collections were dropped since, even if they were created again
 */
export async function settleIdentity(database: Db): Promise<Settled> {
  const now = await identitiesOf(database)
  const noted = await database.collection<IdentityDocument>(ownName).findOne({ _id: 'identity' })
  const known: Identities = new Map(Object.entries(noted?.collections ?? {}))
  const changed = changedAmong(known, now)
  const restored = changed.includes(ownName)
  if (changed.length > 0 && !restored)
    throw new TocsinError(
      'store_incomplete',
      `Collections of the database ${database.databaseName} were dropped or replaced: ${changed.join(', ')}. What was in them is missing.`,
      [],
      {
        remedy:
          'Restore the whole database from a backup. To continue without the missing data: tocsin store accept-loss. See docs/guides/backup.md.',
      },
    )
  const identities = new Map(ours(database).map((name) => [name, now.get(name) ?? '']))
  if (!restored) await noteIdentity(database, identities)
  return { identities, restored }
}

/** Remembers the collections for the next start. */
export async function noteIdentity(database: Db, identities: Identities): Promise<void> {
  const notes = database.collection<IdentityDocument>(ownName)
  await notes.updateOne({ _id: 'identity' }, { $set: { collections: Object.fromEntries(identities) } }, { upsert: true })
}

/** Forgets the noted collections, so that the next start accepts those that exist. */
export async function forgetIdentity(database: Db): Promise<void> {
  await database.collection<IdentityDocument>(ownName).deleteOne({ _id: 'identity' })
}
