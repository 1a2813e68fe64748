import { expect, test } from 'vitest'
import { newInstallation } from './installation.ts'
import { startManaged } from './managed.ts'

const notThere = { MONGODB_URL: 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=1', REDIS_URL: 'redis://127.0.0.1:1' }

test('a start is repeated while MongoDB is away, and its log is kept apart', async () => {
  const { environment, remove } = newInstallation('embedded')
  const log: string[] = []
  const failed: string[] = []
  await expect(startManaged('serve', { ...environment, ...notThere }, log, failed, 2)).rejects.toThrow(
    /^tocsin serve ended with 1\. It had printed:\ntocsin: .*\[store_unavailable\]/,
  )
  expect(failed.filter((line) => line.includes('[store_unavailable]'))).toHaveLength(2)
  expect(log).toEqual([])
  await remove()
})

test('a start that fails for another reason is not repeated, and says why', async () => {
  const { environment, remove } = newInstallation('embedded')
  const failed: string[] = []
  await expect(startManaged('serve', environment, [], failed)).rejects.toThrow('[config_invalid]')
  expect(failed.filter((line) => line.includes('[config_invalid]'))).toHaveLength(1)
  await remove()
})
