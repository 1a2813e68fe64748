import { type Db, MongoServerError } from 'mongodb'
import { expect, test } from 'vitest'
import { ManualClock } from '../../../../test/support/clocks/manual-clock.ts'
import { migrate, restoreUniqueIndexes } from './indexes.ts'

/** A database without indexes whose primary steps down while the first ones are created. */
function steppingDown(code: number): { readonly database: Db; readonly created: string[] } {
  const created: string[] = []
  let down = false
  const collection = (collectionName: string): object => ({
    collectionName,
    indexes: async () => [],
    async createIndexes() {
      if (!down) {
        down = true
        throw new MongoServerError({ message: 'Not primary while creating indexes', code })
      }
      created.push(collectionName)
    },
  })
  return { database: { collection } as unknown as Db, created }
}

test('indexes are created although the primary steps down meanwhile, because a process that starts needs them', async () => {
  const { database, created } = steppingDown(10_107)
  const restored = await restoreUniqueIndexes(database)
  expect(new Set(created).size).toBe(created.length)
  expect(new Set(restored.map((one) => one.split(' ', 1)[0]))).toEqual(new Set(created))
})

test('a definition that MongoDB refuses is not repeated', async () => {
  await expect(restoreUniqueIndexes(steppingDown(86).database)).rejects.toThrow()
})

/**
 * A server without collections whose primary steps down at the first call of each of these commands.
 * @param done whether it has executed the command by then
 */
function emptyServer(failing: readonly string[], done: boolean): { readonly database: Db; readonly names: Set<string> } {
  const names = new Set<string>()
  const left = new Set(failing)
  const refuse = (code: number): never => {
    throw new MongoServerError({ message: `code ${code}`, code })
  }
  /** Executes a command, unless it is the first of its kind and the primary steps down before. */
  const primary = <T>(command: string, execute: () => T): T => {
    const fails = left.delete(command)
    if (fails && !done) refuse(11_602)
    const answer = execute()
    return fails ? refuse(11_602) : answer
  }
  let version = 0
  const collection = (name: string): object => ({
    collectionName: name,
    findOne: async () => (version === 0 ? null : { version }),
    updateOne: async (_: object, { $max }: { readonly $max?: { readonly version: number } }) => {
      version = $max?.version ?? version
    },
    deleteOne: async () => {},
    createIndexes: async () => {},
    rename: async (to: string) =>
      primary('renameCollection', () => {
        if (!names.has(name)) refuse(26)
        if (names.has(to)) refuse(48)
        names.delete(name)
        names.add(to)
      }),
    drop: async () => primary('drop', () => names.delete(name)),
  })
  const database = {
    collection,
    listCollections: () => ({ toArray: async () => [...names].map((name) => ({ name })) }),
    createCollection: async (name: string) =>
      primary(name.startsWith('schema') ? 'create schema' : 'create', () => {
        if (names.has(name)) refuse(48)
        names.add(name)
        return collection(name)
      }),
  }
  return { database: database as unknown as Db, names }
}

test.each([false, true])(
  'collections are created although the primary steps down, before it has executed the command or after it: %s',
  async (done) => {
    const calm = emptyServer([], done)
    await migrate(calm.database, new ManualClock())
    const { database, names } = emptyServer(['create schema', 'renameCollection', 'create', 'drop'], done)
    await migrate(database, new ManualClock())
    expect(names).toEqual(calm.names)
    expect(names.has('schema')).toBe(true)
    expect(names.size).toBeGreaterThan(20)
  },
)

test('a collection that another process created first stays, and nothing of our own is left', async () => {
  const { database, names } = emptyServer(['drop'], true)
  const create = database.createCollection.bind(database)
  Object.assign(database, {
    createCollection: (name: string) => {
      if (name.startsWith('schema.')) names.add('schema')
      return create(name)
    },
  })
  await migrate(database, new ManualClock())
  expect([...names].filter((name) => name.startsWith('schema'))).toEqual(['schema'])
})
