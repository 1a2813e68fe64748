import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ManualClock } from '../../../../test/support/clocks/manual-clock.ts'
import { systemScope } from '../../../domain/index.ts'
import type { Store } from '../../port/index.ts'
import { filesOf } from '../files/names.ts'
import { openEmbeddedStore } from '../index.ts'
import { Channel } from './channel.ts'

function newFolder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-close-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

const open = (directory: string): Promise<Store> => openEmbeddedStore({ directory, clock: new ManualClock() })
const failed = (results: readonly PromiseSettledResult<unknown>[]): readonly unknown[] =>
  results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))

test('a thread that is closed twice at the same time ends once, and both callers wait for its end', async () => {
  const files = filesOf(newFolder())
  const clock = new ManualClock()
  const writer = Channel.start({ role: 'writer', files, companions: [], now: clock.now() }, clock, () => {})
  const reader = Channel.start({ role: 'reader', files, check: false }, clock, () => {})
  for (const channel of [writer, reader]) await channel.open()
  for (const channel of [reader, writer]) {
    expect(failed(await Promise.allSettled([channel.close(), channel.close()]))).toEqual([])
    await channel.close()
    await expect(channel.call('probe', 'look', [])).rejects.toMatchObject({ code: 'store_unavailable', message: 'The store is closed.' })
  }
})

test('a thread that never opened its file ends when it is closed', async () => {
  const clock = new ManualClock()
  const reader = Channel.start({ role: 'reader', files: filesOf(newFolder()), check: false }, clock, () => {})
  await reader.close()
  await expect(reader.open()).rejects.toMatchObject({ message: 'The store is closed.' })
})

test('a store whose file cannot be opened ends both threads, and can be opened later', async () => {
  const directory = newFolder()
  const { database } = filesOf(directory)
  mkdirSync(database)
  await expect(open(directory)).rejects.toBeInstanceOf(Error)
  rmSync(database, { recursive: true })
  await (await open(directory)).close()
})

test('a store that is closed twice ends once, and the next process opens it', async () => {
  const directory = newFolder()
  const store = await open(directory)
  expect(failed(await Promise.allSettled([store.close(), store.close()]))).toEqual([])
  await store.close()
  await (await open(directory)).close()
})

test('calls made before the store is closed are answered, later calls are refused', async () => {
  const store = await open(newFolder())
  // These are more calls than fit into the batches under way.
  const before = Array.from({ length: 5_000 }, () => store.organizations.byCode(systemScope, ['ACME']))
  const written = store.settings.settle(systemScope, 'installation', 'one')
  const closing = store.close()
  const later = expect(store.organizations.byCode(systemScope, ['ACME'])).rejects.toMatchObject({
    code: 'store_unavailable',
    message: 'The store is closed.',
  })
  expect(failed(await Promise.allSettled([closing, ...before, written]))).toEqual([])
  expect(await written).toBe('one')
  await later
})

const taken: readonly (readonly [string, (directory: string) => void])[] = [
  ['database', (directory) => rmSync(filesOf(directory).database)],
  ['log', (directory) => rmSync(filesOf(directory).log)],
  ['folder', (directory) => renameSync(directory, `${directory}.moved`)],
]
test.for(taken)('the %s is taken away right before the store is closed: the next process has everything', async ([, take]) => {
  const directory = join(newFolder(), 'data')
  const store = await open(directory)
  // The writer looks at its files after the first call, and then not again, because the clock stands still.
  await store.settings.settle(systemScope, 'installation', 'one')
  await store.settings.settle(systemScope, 'administrator', 'somebody')
  take(directory)
  await store.close()
  const next = await open(directory)
  expect(await next.settings.settle(systemScope, 'installation', 'two')).toBe('one')
  await next.close()
})
