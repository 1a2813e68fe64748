import { describe, expect, test } from 'vitest'
import { asId, type JournalEntry, type JournalRecord, type Json, type RunId } from '../../../../runtime/domain/index.ts'
import { doneRecord, entryAt, everyone, investigated, newTenant, noon, numbersTo } from '../fixtures.ts'
import type { At } from '../harness.ts'

function nested(depth: number): Json {
  let value: Json = 'bottom'
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { down: value }
  return value
}

/** Answers of external systems that some databases cannot store unchanged. */
const awkward: Json = JSON.parse(
  '{"":1,"$set":{"a.b":2},"a.b":{"$where":"1"},"__proto__":{"x":1},"constructor":null,"0":"zero","nul":"\\u0000","lone":"\\ud83d","mail":"\u{1f4e7}","big":"9007199254740993","tiny":5e-324,"n":-0.5,"list":[[],{},[null,true,false]]}',
)

export function journalCases(at: At): void {
  async function started(): Promise<RunId> {
    return (await investigated(at().store, newTenant())).claimed.run.id
  }

  test('entries are read in order of position, as they were appended', async () => {
    const { store } = at()
    const run = await started()
    const records: JournalRecord[] = [
      { kind: 'decided', address: 'branch', value: awkward },
      { kind: 'intent', address: 'a/1', try: 1, digest: 'd', connection: 'c', revision: 2, sendBy: noon + 5, at: noon },
      { kind: 'tried', address: 'a/1', try: 1, effect: 'not_sent', code: 'network', at: noon },
      { kind: 'done', address: 'a/1', digest: 'd', output: { stored: 'a/1' }, at: noon },
      doneRecord('deep', nested(300)),
    ]
    const failure = { code: 'x', message: 'm', remedy: 'r', step: 'a', vendor: { 'x.y': 1 } }
    const entries: JournalEntry[] = [
      { position: 1, epoch: 1, format: 1, records },
      { position: 2, epoch: 1, format: 1, records: [{ kind: 'failed', address: 'b', digest: 'd', effect: 'unknown', failure, at: noon }] },
      ...numbersTo(12).map((n) => entryAt(n + 2, 1)),
    ]
    for (const entry of entries) expect(await store.journal.append(everyone, run, entry)).toBe('appended')
    const read = await store.journal.read(everyone, run)
    expect(read.slice(1)).toEqual(entries)
    expect(JSON.stringify(read[1]?.records[0])).toBe(JSON.stringify(records[0]))
  })

  test('a position is used once: the other execution is superseded, and the stored entry stays', async () => {
    const { store } = at()
    const run = await started()
    await store.journal.append(everyone, run, entryAt(1, 1, 'first'))
    expect(await store.journal.append(everyone, run, entryAt(1, 2, 'second'))).toBe('superseded')
    expect((await store.journal.read(everyone, run))[1]).toEqual(entryAt(1, 1, 'first'))
  })

  test('only one of several concurrent appends to a position succeeds', async () => {
    const { store } = at()
    const other = (await at().second()) ?? store
    const run = await started()
    const results = await Promise.all(numbersTo(10).map((n) => (n % 2 ? store : other).journal.append(everyone, run, entryAt(1, n, `life ${n}`))))
    expect(results.filter((result) => result === 'appended')).toHaveLength(1)
    expect((await store.journal.read(everyone, run))[1]?.epoch).toBe(results.indexOf('appended') + 1)
  })

  test('concurrent appends to several runs do not mix, and a superseded run does not affect the others', async () => {
    const { store } = at()
    const runs = await Promise.all(numbersTo(20).map(() => started()))
    await store.journal.append(everyone, runs[7]!, entryAt(1, 1, 'before'))
    const results = await Promise.all(runs.map((run, index) => store.journal.append(everyone, run, entryAt(1, 1, `run ${index}`))))
    expect(results.map((result, index) => (result === 'superseded' ? index : -1)).filter((index) => index >= 0)).toEqual([7])
    for (const [index, run] of runs.entries())
      expect((await store.journal.read(everyone, run))[1]).toEqual(entryAt(1, 1, index === 7 ? 'before' : `run ${index}`))
  })

  test('an unknown run has no journal', async () => {
    expect(await at().store.journal.read(everyone, asId<RunId>('nobody-r1'))).toEqual([])
  })

  test('appended entries survive a restart', async () => {
    const run = await started()
    await at().store.journal.append(everyone, run, entryAt(1, 1))
    await at().reopen()
    expect((await at().store.journal.read(everyone, run))[1]).toEqual(entryAt(1, 1))
  })

  describe('outputs beside the journal', () => {
    test('are found by their name, in their run', async () => {
      const { store } = at()
      const [run, other] = [await started(), await started()]
      await store.journal.putOutput(everyone, run, 'a/1', '{"x":1}')
      await store.journal.putOutput(everyone, run, 'a/2', '""')
      await store.journal.putOutput(everyone, other, 'a/1', 'null')
      expect(await store.journal.getOutput(everyone, run, 'a/1')).toBe('{"x":1}')
      expect(await store.journal.getOutput(everyone, run, 'a/2')).toBe('""')
      expect(await store.journal.getOutput(everyone, other, 'a/1')).toBe('null')
      expect(await store.journal.getOutput(everyone, other, 'a/2')).toBeNull()
    })

    test('storing a name again changes nothing', async () => {
      const { store } = at()
      const run = await started()
      await store.journal.putOutput(everyone, run, 'a', '1')
      await store.journal.putOutput(everyone, run, 'a', '2')
      expect(await store.journal.getOutput(everyone, run, 'a')).toBe('1')
    })

    test('may be larger than any document, in any script (complaint 7)', async () => {
      const { store } = at()
      const run = await started()
      // Each character has three bytes, so a cut at a round number of bytes falls inside a character.
      const [large, other] = ['語', '本'].map((character) => JSON.stringify(character.repeat(6 * 1024 * 1024)))
      await store.journal.putOutput(everyone, run, 'large', large!)
      await store.journal.putOutput(everyone, run, 'large', other!)
      expect((await store.journal.getOutput(everyone, run, 'large')) === large).toBe(true)
    })
  })
}
