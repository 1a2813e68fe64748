import { afterEach, describe, expect, test } from 'vitest'
import { noTurns } from '../../../runtime/fairness/index.ts'
import { createRetraces } from '../../../runtime/retrace/index.ts'
import { type Bench, call } from '../support/harness.ts'
import { all, never, type Opening, opened, retracing, user } from '../support/retraced.ts'

let bench: Bench
afterEach(() => bench.close())
const open = async (...given: Opening): Promise<void> => {
  bench = await opened(...given)
}
const { retraces, list } = retracing(() => bench)
const numbers = Array.from({ length: 300 }, (_, index) => index)
const inputsOfList = 'inputs: { list: { type: array, from: [content.list], required: true } }'

describe('large runs', () => {
  test('a value is short in lists, longer in a single step, and whole on request', async () => {
    await open(call('look', 'get_user', 'ada'))
    const state = 'x'.repeat(200_000)
    await bench.live(user(state))
    const [look] = (await list()).items
    expect(look?.output).toMatchObject({ kind: 'cut', beginning: expect.stringMatching(/^\{"state":"x+$/) })
    expect(look?.output).toHaveProperty('beginning.length', 500)
    const run = await bench.ended()
    const one = await retraces().one(run, 'look', never)
    expect((one.output as { beginning: string }).beginning).toHaveLength(16_384)
    expect(JSON.parse(await retraces().value(run, 'look', 'output', never))).toEqual({ state })
    expect(JSON.parse(await retraces().value(run, 'look', 'input', never))).toEqual({ user: 'ada' })
    await expect(retraces().value(run, 'none', 'input', never)).rejects.toMatchObject({ code: 'step_unknown' })
  })

  test('an expensive condition is explained up to the limit of a step, and others get their turns', async () => {
    // The run evaluates the condition once. Explaining it costs that much again for each `and`.
    const pairs = { some: [{ var: 'inputs.list' }, { some: [numbers, { '<': [{ var: '' }, 0] }] }] }
    const rule = Array.from({ length: 12 }).reduce<object>((inner) => ({ and: [inner] }), pairs)
    await open(`- id: say\n  if: ${JSON.stringify(rule)}\n  case: { note: Never }`, { list: numbers }, [], inputsOfList)
    await bench.live(user('active'))
    const [say] = (await list()).items
    expect(say).toMatchObject({ state: 'skipped', why: [{ of: 'if', holds: false }] })
    const parts = say?.why[0]?.parts ?? []
    expect(parts[1]).toMatchObject({ holds: false, error: null })
    expect(parts.at(-1)).toMatchObject({ holds: null, error: 'is not shown: that takes too much work' })
  })

  test('a loop with thousands of items is shown page by page, each step once', async () => {
    const count = 3_000
    await open(
      `
- id: each
  foreach: '{{ alert.content.list }}'
  as: n
  max_items: 5000
  steps:
    - id: odd
      if: { '==': [{ '%': [{ var: n }, 2] }, 1] }
      set: { last: '{{ n }}' }`,
      { list: Array.from({ length: count }, (_, index) => index) },
      [],
      'limits: { steps: 20000 }',
    )
    await bench.live(user('x'))
    const seen: string[] = []
    for (let after: string | null = null; ; ) {
      const page = await list({ after, limit: 1_000 })
      expect(page.total).toBe(count + 1)
      seen.push(...page.items.map(({ address }) => address))
      after = page.items.at(-1)?.address ?? null
      if (!page.more) break
    }
    expect(seen).toEqual(['each', ...Array.from({ length: count }, (_, index) => `each/${index}/odd`)])
    expect((await list({ states: ['skipped'], limit: 1 })).total).toBe(count / 2)
    const grouped = await list({ loops: 'grouped' })
    expect(grouped).toMatchObject({ total: 3, states: { done: count / 2 + 1, skipped: count / 2 } })
    expect(grouped.items.map(({ address, iterations, alike }) => [address, iterations, alike])).toEqual([
      ['each', count, 0],
      ['each/0/odd', null, count / 2 - 1],
      ['each/1/odd', null, count / 2 - 1],
    ])
  })
})

test('two callers at once, one of which gives up', async () => {
  await open(call('look', 'get_user', 'ada'))
  await bench.live(user('x'))
  const run = await bench.ended()
  const service = retraces()
  const all_ = await Promise.all(Array.from({ length: 8 }, () => service.list(run, all, never)))
  expect(new Set(all_.map(({ total }) => total))).toEqual(new Set([1]))
  const gone = new AbortController()
  gone.abort(new Error('gone'))
  await expect(service.list(run, all, gone.signal)).rejects.toThrow('gone')
})

test('two runs are shown at once; a third caller waits until its signal aborts', async () => {
  await open('- { id: keep, set: { seen: 1 } }')
  await bench.live(user('x'))
  const run = await bench.ended()
  const reading = Promise.withResolvers<void>()
  let reads = 0
  const slow = {
    ...bench.store,
    alerts: bench.store.alerts,
    decisions: bench.store.decisions,
    journal: {
      ...bench.store.journal,
      read: async (...given: Parameters<typeof bench.store.journal.read>) => {
        reads += 1
        await reading.promise
        return bench.store.journal.read(...given)
      },
    },
  }
  const slowly = createRetraces(slow, { ...bench.libraries, turns: noTurns })
  const given = new AbortController()
  const asked = [0, 1, 2].map((index) => slowly.list(run, all, index === 2 ? given.signal : never))
  const third = expect(asked[2]).rejects.toThrow('enough')
  given.abort(new Error('enough'))
  await third
  const fourth = slowly.list(run, all, never)
  expect(reads).toBe(2)
  reading.resolve()
  expect((await Promise.all([asked[0], asked[1], fourth])).map((page) => page?.total)).toEqual([1, 1, 1])
  expect(reads).toBe(3)
})
