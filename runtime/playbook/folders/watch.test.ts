import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import type { Difference } from './snapshot.ts'
import { takeSnapshot } from './snapshot.ts'
import { FolderWatch } from './watch.ts'

let folder: string
let clock: ManualClock
let watch: FolderWatch
let taken: { changed: string[]; gone: string[] }[]
let failures: unknown[]
let fail: boolean

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tocsin-watch-'))
  clock = new ManualClock()
  taken = []
  failures = []
  fail = false
  write('a.yaml', 'a')
  watch = new FolderWatch({
    folders: [folder],
    clock,
    async take({ changed, gone }: Difference) {
      if (fail) throw new Error('the store does not answer')
      const short = (files: ReadonlySet<string>): string[] => [...files].map((file) => file.slice(folder.length + 1)).sort()
      taken.push({ changed: short(changed), gone: short(gone) })
    },
    failed: (error) => failures.push(error),
  })
  watch.start(await takeSnapshot([folder]))
})
afterEach(async () => {
  const stopped = watch.stop()
  await turnUntil(() => stopped)
  rmSync(folder, { recursive: true, force: true })
})

/** Advances the clock in small steps, and runs what waits for it, until `end` resolves or returns true. */
async function turnUntil(end: () => Promise<unknown> | boolean): Promise<void> {
  let over = false
  const result = end()
  if (result instanceof Promise) void result.finally(() => (over = true))
  while (!(over || (typeof result === 'boolean' && end() === true))) {
    clock.advance(100)
    await setImmediate()
  }
}

/** Lets 20 seconds pass. By then the watch has looked at the folder several times. */
async function pass(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) {
    clock.advance(100)
    await setImmediate()
  }
}

test('reports a changed, a new and a deleted file together, but not tests of playbooks and other files', async () => {
  write('gone.yaml', 'x')
  await turnUntil(() => taken.length === 1)
  write('a.yaml', 'a2')
  write('b.yml', 'b')
  write('a.test.yaml', 'a test')
  write('notes.txt', 'notes')
  rmSync(join(folder, 'gone.yaml'))
  await turnUntil(() => taken.length === 2)
  expect(taken).toEqual([
    { changed: ['gone.yaml'], gone: [] },
    { changed: ['a.yaml', 'b.yml'], gone: ['gone.yaml'] },
  ])
})

test('reports a file that is written in pieces once, when it no longer changes', async () => {
  for (let piece = 0; piece < 20; piece++) {
    appendFileSync(join(folder, 'a.yaml'), String(piece))
    clock.advance(100)
    await setImmediate()
  }
  expect(taken).toEqual([])
  await turnUntil(() => taken.length === 1)
  await pass()
  expect(taken).toEqual([{ changed: ['a.yaml'], gone: [] }])
})

test('reports a file that an editor replaced as changed; a renamed file is not gone', async () => {
  write('a.yaml.tmp', 'a2')
  renameSync(join(folder, 'a.yaml.tmp'), join(folder, 'a.yaml'))
  await turnUntil(() => taken.length === 1)
  renameSync(join(folder, 'a.yaml'), join(folder, 'b.yaml'))
  await turnUntil(() => taken.length === 2)
  expect(taken).toEqual([
    { changed: ['a.yaml'], gone: [] },
    { changed: ['b.yaml'], gone: [] },
  ])
})

test('reports nothing for a file that changes and changes back', async () => {
  write('a.yaml', 'a2')
  write('a.yaml', 'a')
  await pass()
  expect(taken).toEqual([])
})

test('tries again after a failed import, and after a folder was missing for a while', async () => {
  fail = true
  write('a.yaml', 'a2')
  await turnUntil(() => failures.length > 0)
  fail = false
  await turnUntil(() => taken.length === 1)
  rmSync(folder, { recursive: true })
  const before = failures.length
  await turnUntil(() => failures.length > before)
  mkdirSync(folder)
  write('a.yaml', 'a3')
  await turnUntil(() => taken.length === 2)
  expect(taken.map(({ changed }) => changed)).toEqual([['a.yaml'], ['a.yaml']])
})
