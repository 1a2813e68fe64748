import { describe, expect, test } from 'vitest'
import type { Json } from '../../domain/index.ts'
import type { ItemResultsDocument, SkillDocument } from '../grammar/index.ts'
import { FaultPlaces } from '../manifest/fault-places.ts'
import { compileItemResults } from './items.ts'

const nowhere = { locate: () => ({ file: 'x', line: 1, column: 1 }), locateInside: () => ({ file: 'x', line: 1, column: 1 }) }
const counts = { all_done: {}, done: {}, failed: {}, not_sent: {}, unknown: {} }

function compiled(item_results: ItemResultsDocument) {
  const input = { type: 'object', additionalProperties: false, properties: { ids: { type: 'array' } } }
  const document = { id: 'mark', input, output: { type: 'object', properties: { results: {}, ...counts } }, item_results } as unknown as SkillDocument
  const places = new FaultPlaces(nowhere, [])
  const items = compileItemResults(document, places)
  return { items, faults: places.found.map(({ message }) => message) }
}

function judged(item_results: ItemResultsDocument, results: Json, ids: readonly string[] = ['a', 'b', 'c']) {
  const { items } = compiled(item_results)
  return items?.judge({ ids }, { results }) ?? null
}

describe('in our own words', () => {
  const list = { list: 'results', named_by: 'id' }
  const item = (id: string, status: string, more: object = {}): Json => ({ id, status, ...more })

  test('everything was done: no failure, and the counts say so', () => {
    expect(judged(list, [item('a', 'done'), item('b', 'done')])).toEqual({
      output: { results: expect.any(Array), all_done: true, done: 2, failed: 0, not_sent: 0, unknown: 0 },
      failure: null,
    })
  })

  test('some failed: they are counted and named, with the words of the system', () => {
    const results = [
      item('a', 'done'),
      item('b', 'failed', { error: { code: 'locked', message: 'The message is\n locked' } }),
      item('c', 'not_sent', { reason: 'too late' }),
      item('d', 'wobbling'),
    ]
    expect(judged(list, results)).toEqual({
      output: { results, all_done: false, done: 1, failed: 1, not_sent: 1, unknown: 1 },
      failure: { effect: 'done', message: '1 of 4 were done, 1 failed, 1 not sent, 1 unknown: b (The message is locked), c (too late), d.' },
    })
  })

  test.each([
    [['failed', 'failed'], 'refused'],
    [['failed', 'not_sent'], 'refused'],
    [['not_sent'], 'not_sent'],
    [['failed', 'unknown'], 'done'],
    [['failed', 'done'], 'done'],
  ])('of %j the effect is %s', (words, effect) => {
    expect(
      judged(
        list,
        words.map((word, at) => item(String(at), word)),
      )?.failure?.effect,
    ).toBe(effect)
  })

  test('a message names a few of many, each with a readable length', () => {
    const results = Array.from({ length: 500 }, (_, at) => item(`${at}`, 'failed', { error: 'x'.repeat(5_000) }))
    const message = judged(list, results)?.failure?.message ?? ''
    expect(message).toContain('500 failed')
    expect(message).toContain(' and 495 more')
    expect(message.length).toBeLessThan(1_000)
  })
})

describe("in the vendor's words", () => {
  const vendor = (parts: Partial<ItemResultsDocument>): ItemResultsDocument => ({
    list: 'results',
    named_by: 'messageId',
    done: { in: [{ var: 'item.state' }, ['accepted', 'queued']] },
    failed: { '==': [{ var: 'item.state' }, 'rejected'] },
    ...parts,
  })

  test('conditions decide the status of an item; if none matches, it is unknown', () => {
    const results = ['accepted', 'rejected', 'odd'].map((state, at) => ({ messageId: `m${at}`, state }))
    expect(judged(vendor({}), results)?.output).toMatchObject({ done: 1, failed: 1, unknown: 1, all_done: false })
    // A condition that cannot be evaluated is false.
    expect(judged(vendor({}), [{ messageId: 'm', state: 7 }, 'what?', null])?.output).toMatchObject({ done: 0, unknown: 3 })
  })

  test('a requested item without an entry is unknown, or what the skill says', () => {
    const results = [{ messageId: 'a', state: 'accepted' }]
    const of = '{{ input.ids }}'
    expect(judged(vendor({ of }), results)).toMatchObject({
      output: { done: 1, unknown: 2, all_done: false },
      failure: { message: expect.stringContaining('b (not in the answer), c (not in the answer)') },
    })
    expect(judged(vendor({ of, absent: 'failed' }), results)?.output).toMatchObject({ done: 1, failed: 2 })
    // For a system that names only the failed items.
    expect(judged(vendor({ of, absent: 'done' }), [{ messageId: 'b', state: 'rejected' }])?.output).toMatchObject({ done: 2, failed: 1 })
  })

  test('a list of the accepted names', () => {
    expect(judged({ list: 'results', of: '{{ input.ids }}', absent: 'failed' }, ['a', 'c'])?.output).toMatchObject({ done: 2, failed: 1 })
    expect(judged({ list: 'results' }, ['a', 'c'])?.output).toMatchObject({ done: 2, all_done: true })
  })

  test('results without names are matched with the requested items in order', () => {
    const results = [{ status: 'done' }, { status: 'done' }]
    expect(judged({ list: 'results', of: '{{ input.ids }}' }, results)?.output).toMatchObject({ done: 2, unknown: 1 })
  })
})

test('if the system says nothing about single items, nothing is known about them', () => {
  expect(judged({ list: 'results' }, null)).toBeNull()
  expect(judged({ list: 'results' }, 'accepted')).toBeNull()
})

test('counts from the handler are kept, and a schema that names none gets none', () => {
  const { items } = compiled({ list: 'results' })
  expect(items?.judge({}, { results: [{ status: 'done' }], done: 7 })?.output).toMatchObject({ done: 7, failed: 0 })
})

test('very many items have a bounded cost', () => {
  const results = Array.from({ length: 300_000 }, () => ({ status: 'done' }))
  const { output, failure } = judged({ list: 'results' }, results) ?? {}
  expect(output).toMatchObject({ done: 10_000, unknown: 10_000 })
  expect(failure).not.toBeNull()
})

test('inconsistencies are reported when the plugin is loaded', () => {
  expect(compiled({ list: 'results', of: '{{ input.idz }}', done: { '==': [{ var: 'itm.state' }, 1] }, absent: 'done' }).faults).toEqual([
    '`input.idz` does not exist; did you mean `ids`?',
    'there is no `itm` here; did you mean `item`?; available here: item, input',
  ])
  expect(compiled({ list: 'results', absent: 'done' }).faults).toEqual(['`absent` needs `of`, the list of requested items'])
})
