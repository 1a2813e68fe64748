import { BSON, type Collection, type Document, type Filter, type OptionalUnlessRequiredId } from 'mongodb'
import { inBulks, type Outcome } from './bulk-queue.ts'
import type { BulkTurns } from './bulk-turns.ts'
import { itemFaults, repeatedOnce } from './faults.ts'

/** Enough to share the cost of a commit. In a larger bulk, the first callers would only wait longer. */
const mostInBulk = 256

export type Inserted = 'inserted' | 'duplicate' | Error

/** Inserts documents independently of each other, in one command. Returns the outcome of each. */
export async function insertEach<T extends Document>(collection: Collection<T>, documents: readonly T[]): Promise<readonly Inserted[]> {
  if (documents.length === 0) return []
  try {
    await collection.insertMany(documents as readonly OptionalUnlessRequiredId<T>[], { ordered: false })
    return documents.map(() => 'inserted')
  } catch (error) {
    const faults = itemFaults(error)
    return documents.map((_, index) => faults.get(index) ?? 'inserted')
  }
}

/** Inserts one document, together with those of other callers. Returns false if one of its unique keys is taken. */
export type Insert<T> = (document: T) => Promise<boolean>

/** @param bytesOf about how large a document is; absent: all are small */
export function inserter<T extends Document>(turns: BulkTurns, collection: Collection<T>, bytesOf?: (document: T) => number): Insert<T> {
  const insert = async (documents: readonly T[]): Promise<readonly Outcome<boolean>[]> =>
    (await insertEach(collection, documents)).map((inserted) => () => {
      if (inserted instanceof Error) throw inserted
      return inserted === 'inserted'
    })
  return inBulks<T, boolean>(turns, mostInBulk, insert, bytesOf)
}

/** New values for fields of one document, if it meets the condition. */
interface Assignment<T> {
  readonly id: string
  readonly when: Filter<T>
  readonly set: Readonly<Record<string, unknown>>
  readonly unset?: string
}

/**
 * Assigns, together with the assignments of other callers. Does not say whether the document existed and met
 * the condition.
 */
export type Assign<T> = (assignment: Assignment<T>) => Promise<void>

/**
 * Uses one statement for all assignments with the same condition: the values are a list in it, and each
 * document takes its own. A statement for each document costs the server more than twice as much (measured
 * with 64). A repeat assigns the same values, so it is safe.
 */
export function assigner<T extends Document>(turns: BulkTurns, collection: Collection<T>): Assign<T> {
  const assign = async (assignments: readonly Assignment<T>[]): Promise<readonly Outcome<void>[]> => {
    const alike = new Map<string, Assignment<T>[]>()
    const times = new Map<string, number>()
    for (const assignment of assignments) {
      const { id, when, unset } = assignment
      // A statement assigns once to each document, so a second assignment to one document is in another statement.
      const before = times.get(id) ?? 0
      times.set(id, before + 1)
      const key = JSON.stringify([when, unset, before])
      const group = alike.get(key)
      if (group) group.push(assignment)
      else alike.set(key, [assignment])
    }
    const statements = [...alike.values()].map((group) => ({ updateMany: together(group) }))
    await repeatedOnce(() => collection.bulkWrite(statements, { ordered: false }))
    return assignments.map(() => () => undefined)
  }
  return inBulks<Assignment<T>, void>(turns, mostInBulk, assign, ({ set }) => BSON.calculateObjectSize(set))
}

function together<T extends Document>(group: readonly Assignment<T>[]): { filter: Filter<T>; update: Document[] } {
  const ids = group.map(({ id }) => id)
  const own = { $arrayElemAt: [{ $literal: group.map(({ set }) => set) }, { $indexOfArray: [{ $literal: ids }, '$_id'] }] }
  const unset = group[0]?.unset
  const kept = unset === undefined ? '$$ROOT' : { $unsetField: { field: unset, input: '$$ROOT' } }
  return { filter: { ...group[0]?.when, _id: { $in: ids } } as Filter<T>, update: [{ $replaceWith: { $mergeObjects: [kept, own] } }] }
}

/** Finds one document by a unique field, together with the lookups of other callers. */
export type Find<Key, T> = (key: Key) => Promise<T | null>

/**
 * Makes a function that finds documents by a unique field. Lookups of concurrent callers share a command.
 * @param projection which fields to read. Empty: all
 */
export function finder<Key extends string, T extends Document>(
  turns: BulkTurns,
  collection: Collection<T>,
  field: keyof T & string,
  projection: Document = {},
): Find<Key, T> {
  return inBulks<Key, T | null>(turns, mostInBulk, async (keys) => {
    const found = await collection.find({ [field]: { $in: keys } } as Filter<T>, { projection }).toArray()
    // If the field is a list, each of its items finds the document.
    const byKey = new Map(found.flatMap((document) => [document[field] as Key | readonly Key[]].flat().map((key) => [key as Key, document as T])))
    return keys.map(
      (key): Outcome<T | null> =>
        () =>
          byKey.get(key) ?? null,
    )
  })
}
