import { type Db, MongoServerError } from 'mongodb'
import { expect, test } from 'vitest'
import { restoreUniqueIndexes } from './indexes.ts'

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
