import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { openEmbeddedStore } from './embedded/index.ts'
import { tellIfLong } from './long-start.ts'

test('a part of a start that takes long is told once, and one that is over is not told', async () => {
  const clock = new ManualClock()
  const told: string[] = []
  const { promise, resolve } = Promise.withResolvers<string>()
  const long = tellIfLong(
    clock,
    () => told.push('long'),
    () => promise,
  )
  await tellIfLong(
    clock,
    () => told.push('short'),
    async () => 'done',
  )
  await clock.advance(2_999)
  expect(told).toEqual([])
  await clock.advance(60_000)
  resolve('late')
  expect([await long, told]).toEqual(['late', ['long']])
})

test('a failure is passed on, and nothing is told after it', async () => {
  const clock = new ManualClock()
  const told: string[] = []
  const failing = tellIfLong(
    clock,
    () => told.push('long'),
    () => Promise.reject(new Error('broken')),
  )
  await expect(failing).rejects.toThrow('broken')
  await clock.advance(60_000)
  expect(told).toEqual([])
})

test('an embedded store that takes long to open says so', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-long-'))
  const clock = new ManualClock()
  const told: unknown[] = []
  const opening = openEmbeddedStore({ directory, clock, report: (notice) => told.push(notice) })
  await clock.advance(3_000)
  const store = await opening
  expect(told).toContainEqual({ level: 'info', message: expect.stringMatching(/tocsin\.db is still being opened\..*new indexes/) })
  await store.close()
  rmSync(directory, { recursive: true })
})
