import { MongoServerError } from 'mongodb'
import { expect, test } from 'vitest'
import { sortedInMemory } from './sorted.ts'

/** Answers like a server whose memory is too small for the sort. */
function small(asked: boolean[], code: number) {
  return async (allowDiskUse: boolean): Promise<string> => {
    asked.push(allowDiskUse)
    if (!allowDiskUse) throw new MongoServerError({ message: 'Sort exceeded memory limit', code })
    return 'sorted'
  }
}

test('a sort may use files only if memory is too small', async () => {
  const asked: boolean[] = []
  expect(await sortedInMemory(small(asked, 292))).toBe('sorted')
  expect(asked).toEqual([false, true])
  expect(await sortedInMemory(async (allowDiskUse) => allowDiskUse)).toBe(false)
})

test('another error is not asked about again', async () => {
  const asked: boolean[] = []
  await expect(sortedInMemory(small(asked, 50))).rejects.toMatchObject({ code: 50 })
  expect(asked).toEqual([false])
})
