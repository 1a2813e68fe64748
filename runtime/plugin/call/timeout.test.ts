import { expect, test } from 'vitest'
import { loadPluginFolder } from '../manifest/load.ts'
import { sampleFolder, withSample } from '../testing.ts'
import type { Plugin } from '../types.ts'
import { timeoutOf } from './timeout.ts'

const manifest = 'manifest.yaml'
const [list, suspend] = ['list_directory_users', 'suspend_directory_user']

function of(plugin: Plugin, id: string, asked: number | null = null): number {
  const skill = plugin.skills.get(id)
  if (!skill) throw new Error(`no skill ${id}`)
  return timeoutOf(plugin, skill, asked)
}

const changed = (changes: Parameters<typeof withSample>[0], id: string, asked: number | null = null): Promise<number> =>
  withSample(changes, async (folder) => of(await loadPluginFolder(folder), id, asked))

test('a try takes as long as the manifest or the step says', async () => {
  const plugin = await loadPluginFolder(sampleFolder)
  expect([of(plugin, list), of(plugin, suspend)]).toEqual([30_000, 30_000])
  expect([of(plugin, list, 3_600_000), of(plugin, suspend, 5_000)]).toEqual([3_600_000, 5_000])
  expect(of(plugin, 'get_directory_audit')).toBe(120_000)
})

test('a write has its own time-out, and never a longer one than people should wait', async () => {
  expect(await changed([[manifest, 'timeout: 30s', 'timeout: 5m']], suspend)).toBe(60_000)
  expect(await changed([[manifest, 'timeout: 30s', 'timeout: 5m']], list)).toBe(300_000)
  expect(await changed([[manifest, 'timeout: 30s', 'timeout: 30s, write_timeout: 10s']], suspend)).toBe(10_000)
  expect(await changed([[manifest, 'timeout: 30s', 'timeout: 30s, write_timeout: 90s']], suspend)).toBe(90_000)
  expect(await changed([], suspend, 3_600_000)).toBe(120_000)
})

test('a request may have its own time-out', async () => {
  const own = (skill: string, method: string) => [`skills/${skill}.yaml`, method, `${method}\n  timeout: 4m`] as const
  expect(await changed([own(list, 'method: GET')], list)).toBe(240_000)
  expect(await changed([own(suspend, 'method: POST')], suspend)).toBe(120_000)
})

test('a time-out that is too long for a write is reported', async () => {
  await expect(changed([[manifest, 'timeout: 30s', 'timeout: 30s, write_timeout: 5m']], suspend)).rejects.toMatchObject({
    places: [expect.objectContaining({ field: 'request.write_timeout', message: expect.stringContaining('2m') })],
  })
})
