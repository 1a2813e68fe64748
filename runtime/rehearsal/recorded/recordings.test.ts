import { expect, test } from 'vitest'
import type { Alert, JournalRecord, Run } from '../../domain/index.ts'
import type { Turns } from '../../fairness/index.ts'
import { createRecordings } from './recordings.ts'

const run = {
  id: 'a-r1',
  alert: 'a',
  organization: 'acme',
  attempt: 1,
  failure: null,
  undo: null,
  pins: { playbook: { name: 'p', digest: '' }, playbooks: {}, plugins: {}, connections: {} },
} as unknown as Run

/** Makes the recordings of a run in which every step got the same answer. */
function recordingsOf(steps: number, output: string, turns: Turns) {
  const records = Array.from(
    { length: steps },
    (_, at) => ({ kind: 'done', address: `s${at}`, at, output: { stored: `o${at}` } }) as unknown as JournalRecord,
  )
  const store = {
    alerts: { get: async () => [{ content: '{}' } as Alert] },
    journal: { read: async () => [{ records }], getOutput: async () => output },
    decisions: { list: async () => ({ items: [], more: false }) },
    artifacts: {},
  }
  return createRecordings(store as unknown as Parameters<typeof createRecordings>[0], { byDigest: () => Promise.reject(new Error('none')) }, turns)
}

test('reads outputs in turns of the organization that owns the run', async () => {
  const asked: string[] = []
  const turns: Turns = {
    next(key) {
      asked.push(key)
      return null
    },
  }
  const value = Array.from({ length: 100_000 }, (_, at) => at)
  const { answers } = await recordingsOf(2, JSON.stringify(value), turns).recording(run)
  expect(answers).toMatchObject([
    { step: 's0', kind: 'output', output: value },
    { step: 's1', kind: 'output', output: value },
  ])
  expect(asked.length).toBeGreaterThan(20)
  expect(new Set(asked)).toEqual(new Set(['acme']))
})

test('refuses a recording that is too large', async () => {
  const large = `"${'x'.repeat(5_000_000)}"`
  const turns: Turns = { next: () => null }
  await expect(recordingsOf(14, large, turns).recording(run)).rejects.toMatchObject({ code: 'recording_too_large' })
  expect((await recordingsOf(13, large, turns).recording(run)).answers).toHaveLength(13)
})
