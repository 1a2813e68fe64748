import { describe, expect, test } from 'vitest'
import {
  type AlertUuid,
  asId,
  type JournalEntry,
  type JournalRecord,
  type PrincipalId,
  runId,
  type SessionId,
  TriedWrites,
} from '../../domain/index.ts'
import type { RunEnd, Store } from '../../storage/index.ts'
import { Superseded } from '../failure/signals.ts'
import { CancelState } from '../guards/cancel.ts'
import { RunJournal } from './run-journal.ts'

const run = runId(asId<AlertUuid>('a'), 1)

const listeners = (cancel = new CancelState()) => ({ cancel, writes: new TriedWrites() })

function decided(address: string): JournalRecord {
  return { kind: 'decided', address, value: true }
}

function addresses(entry: JournalEntry | RunEnd | undefined): string[] {
  return (entry?.records ?? []).flatMap((record) => ('address' in record ? [record.address] : []))
}

/** Returns a store that holds each append until the test completes it. */
function heldStore(...standing: readonly JournalEntry[]) {
  const entries: JournalEntry[] = []
  const answers: ((outcome: 'appended' | 'superseded') => void)[] = []
  const ends: RunEnd[] = []
  const parts = {
    journal: {
      append: (_scope: unknown, _run: unknown, entry: JournalEntry) => {
        entries.push(entry)
        return new Promise<'appended' | 'superseded'>((resolve) => answers.push(resolve))
      },
      read: async () => standing,
    },
    runs: {
      end: async (_scope: unknown, end: RunEnd) => {
        ends.push(end)
        return 'ended' as const
      },
    },
  }
  return { entries, ends, answer: (outcome: 'appended' | 'superseded' = 'appended') => answers.shift()?.(outcome), store: parts as unknown as Store }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('one append at a time; records that arrive meanwhile go together into the next, in order', async () => {
  const { store, entries, answer } = heldStore()
  const journal = new RunJournal(store, run, 1, 1, listeners())
  journal.push(decided('a'))
  await turn()
  for (const address of ['b', 'c']) journal.push(decided(address))
  expect(entries.map(addresses)).toEqual([['a']])
  answer()
  await turn()
  expect(entries.map(addresses)).toEqual([['a'], ['b', 'c']])
  expect(entries.map(({ position }) => position)).toEqual([1, 2])
})

test('a deferred record goes with the next append, before its record', async () => {
  const { store, entries } = heldStore()
  const journal = new RunJournal(store, run, 1, 1, listeners())
  journal.defer(decided('branch'))
  journal.push(decided('step'))
  await turn()
  expect(entries.map(addresses)).toEqual([['branch', 'step']])
})

test('an append that is waited for resolves only when everything before it is durable too', async () => {
  const { store, answer } = heldStore()
  const journal = new RunJournal(store, run, 1, 1, listeners())
  journal.push(decided('read'))
  await turn()
  let durable = false
  const intent = journal.append(decided('write')).then(() => {
    durable = true
  })
  answer()
  await turn()
  expect(durable).toBe(false)
  answer()
  await intent
  expect(durable).toBe(true)
})

test('an execution whose position was taken stops, and writes nothing more', async () => {
  const { store, entries, ends, answer } = heldStore()
  const journal = new RunJournal(store, run, 1, 1, listeners())
  const intent = journal.append(decided('write'))
  answer('superseded')
  await expect(intent).rejects.toThrow(Superseded)
  expect(() => journal.push(decided('later'))).toThrow(Superseded)
  await expect(journal.end(() => ({ state: 'completed', reason: null, failure: null, retryAt: null, at: 1, entries: [] }))).rejects.toThrow(
    Superseded,
  )
  expect(entries).toHaveLength(1)
  expect(ends).toHaveLength(0)
})

const cancellation = { principal: asId<PrincipalId>('ada'), by: 'ada', reason: null, at: 1 }

function standing(position: number, ...records: readonly JournalRecord[]): JournalEntry {
  return { position, epoch: 1, format: 1, records }
}

test('a cancellation at its position is noted, and the append goes after it', async () => {
  const { store, entries, answer } = heldStore(standing(0, decided('first')), standing(1, { kind: 'cancelled', ...cancellation }))
  const cancel = new CancelState()
  const journal = new RunJournal(store, run, 1, 1, listeners(cancel))
  const appended = journal.append(decided('read'))
  answer('superseded')
  await turn()
  expect(cancel.cancellation).toEqual(cancellation)
  expect(entries.map(({ position }) => position)).toEqual([1, 2])
  answer()
  await appended
  journal.push(decided('next'))
  await turn()
  expect(entries.map(({ position }) => position)).toEqual([1, 2, 3])
})

test('another execution that follows a cancellation is still found', async () => {
  const claimed = { kind: 'claimed', epoch: 2, owner: asId<SessionId>('s'), at: 2 } as const
  const { store, answer } = heldStore(standing(1, { kind: 'cancelled', ...cancellation }), standing(2, claimed))
  const appended = new RunJournal(store, run, 1, 1, listeners()).append(decided('read'))
  answer('superseded')
  await expect(appended).rejects.toThrow(Superseded)
})

test('the end takes the next position and the records that wait for an append', async () => {
  const { store, ends, answer } = heldStore()
  const journal = new RunJournal(store, run, 3, 7, listeners())
  journal.push(decided('step'))
  await turn()
  journal.defer(decided('branch'))
  const ended = journal.end(() => ({ state: 'completed', reason: null, failure: null, retryAt: null, at: 1, entries: [] }))
  answer()
  await ended
  expect(ends[0]).toMatchObject({ position: 8, epoch: 3 })
  expect(addresses(ends[0])).toEqual(['branch'])
})

test("the record of a run's last step goes with its end", async () => {
  const { store, entries, ends } = heldStore()
  const journal = new RunJournal(store, run, 1, 1, listeners())
  journal.push(decided('last'))
  await journal.end(() => ({ state: 'completed', reason: null, failure: null, retryAt: null, at: 1, entries: [] }))
  await turn()
  expect(entries).toEqual([])
  expect(addresses(ends[0])).toEqual(['last'])
})

test('reads that are gathered go with the next append', async () => {
  const { store, entries } = heldStore()
  const journal = new RunJournal(store, run, 1, 1, listeners())
  journal.push(decided('read'))
  const endGathering = journal.gather()
  await turn()
  expect(entries).toEqual([])
  const intent = journal.append(decided('write'))
  endGathering()
  expect(entries.map(addresses)).toEqual([['read', 'write']])
  void intent
})

test('reads that were gathered are appended if no append follows', async () => {
  const { store, entries } = heldStore()
  const journal = new RunJournal(store, run, 1, 1, listeners())
  const [endGathering, other] = [journal.gather(), journal.gather()]
  journal.push(decided('read'))
  endGathering()
  endGathering()
  await turn()
  expect(entries).toEqual([])
  other()
  await turn()
  expect(entries.map(addresses)).toEqual([['read']])
})

test('the outcome of a write is never gathered, so that it is not in doubt for longer', async () => {
  const { store, entries } = heldStore()
  const journal = new RunJournal(store, run, 1, 1, listeners())
  journal.gather()
  journal.push(decided('read'))
  journal.push({ kind: 'answered', address: 'handler#1', try: 1, digest: 'd', answer: { value: null }, at: 1 })
  await turn()
  expect(entries.map(addresses)).toEqual([['read', 'handler#1']])
})

test('nothing is appended until the case is open; then all of it goes together', async () => {
  const opened = Promise.withResolvers<void>()
  const { store, entries, answer } = heldStore()
  const journal = new RunJournal(store, run, 1, 1, listeners(), opened.promise)
  journal.push(decided('read'))
  const intent = journal.append(decided('write'))
  await turn()
  expect(entries).toEqual([])
  opened.resolve()
  await turn()
  expect(entries.map(addresses)).toEqual([['read', 'write']])
  answer()
  await intent
})

test('when the case is open, a read still waits for the append that follows at once', async () => {
  const opened = Promise.withResolvers<void>()
  const { store, entries } = heldStore()
  const journal = new RunJournal(store, run, 1, 1, listeners(), opened.promise)
  journal.push(decided('read'))
  opened.resolve()
  await opened.promise
  void journal.append(decided('write'))
  await turn()
  expect(entries.map(addresses)).toEqual([['read', 'write']])
})

test('a run whose case cannot be opened records nothing, and does not end', async () => {
  const fault = new Error('the store does not answer')
  const end = { state: 'completed', reason: null, failure: null, retryAt: null, at: 1, entries: [] } as const
  const { store, entries, ends } = heldStore()
  const journals = [1, 2].map(() => new RunJournal(store, run, 1, 1, listeners(), Promise.reject(fault)))
  await expect(journals[0]?.append(decided('write'))).rejects.toBe(fault)
  await expect(journals[1]?.end(() => end)).rejects.toBe(fault)
  expect([entries, ends]).toEqual([[], []])
})

describe('while the case opens, a run whose claim allows it', () => {
  const end = { state: 'completed', reason: null, failure: null, retryAt: null, at: 1, entries: [] } as const

  test('ends with all that it has read, and appends nothing else', async () => {
    const opened = Promise.withResolvers<void>()
    const { store, entries, ends } = heldStore()
    const journal = new RunJournal(store, run, 1, 1, listeners(), opened.promise, true)
    journal.push(decided('read'))
    await turn()
    const ending = journal.end(() => end)
    await turn()
    opened.resolve()
    await ending
    await turn()
    expect(entries).toEqual([])
    expect(ends.map(addresses)).toEqual([['read']])
  })

  test('does not sleep', async () => {
    const opened = Promise.withResolvers<void>()
    const { store } = heldStore()
    const journal = new RunJournal(store, run, 1, 1, listeners(), opened.promise, true)
    let slept = false
    const sleeping = journal.sleep(5, 1, null).finally(() => {
      slept = true
    })
    await turn()
    expect(slept).toBe(false)
    opened.reject(new Error('taken'))
    await expect(sleeping).rejects.toThrow('taken')
  })

  test('does not end before an append that is under way after it, nor if the case could not be opened', async () => {
    const opened = Promise.withResolvers<void>()
    const { store, entries, ends, answer } = heldStore()
    const journal = new RunJournal(store, run, 1, 1, listeners(), opened.promise, true)
    opened.resolve()
    await turn()
    void journal.append(decided('write'))
    await turn()
    const ending = journal.end(() => end)
    await turn()
    expect([entries.length, ends.length]).toEqual([1, 0])
    answer()
    await ending
    expect(ends).toHaveLength(1)
    const refused = new RunJournal(store, run, 1, 1, listeners(), Promise.reject(new Error('taken')), true)
    await turn()
    await expect(refused.end(() => end)).rejects.toThrow('taken')
    expect(ends).toHaveLength(1)
  })
})
