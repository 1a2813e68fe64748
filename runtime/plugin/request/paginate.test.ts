import { expect, test } from 'vitest'
import type { Json } from '../../domain/index.ts'
import type { PaginationDocument } from '../grammar/index.ts'
import { answerOf } from '../testing.ts'
import { compilePages, followPages, type Listing } from './paginate.ts'

const document: PaginationDocument = {
  kind: 'cursor',
  send: 'cursor',
  next: 'meta.nextCursor',
  more: 'meta.hasMore',
  items: 'items',
  until: '{{ input.max }}',
}

function pageOf(items: readonly Json[], nextCursor: Json, hasMore = nextCursor !== null): Json {
  return { meta: { nextCursor, hasMore }, items }
}

async function follow(
  bodies: readonly Json[],
  until: number | null,
  form: PaginationDocument = document,
): Promise<Listing & { cursors: (string | null)[] }> {
  const cursors: (string | null)[] = []
  const listing = await followPages(compilePages(form), until, async (cursor) => {
    const body = bodies[Math.min(cursors.push(cursor) - 1, bodies.length - 1)]
    return answerOf(200, body ?? null)
  })
  return { ...listing, cursors }
}

const three = [pageOf([1, 2], 'a'), pageOf([3, 4], 'b'), pageOf([5], null)]

test('all pages are followed to the last', async () => {
  const { items, page, cursors } = await follow(three, null)
  expect(items).toEqual([1, 2, 3, 4, 5])
  expect(page).toEqual({ truncated: false, count: 5, pages: 3 })
  expect(cursors).toEqual([null, 'a', 'b'])
})

test.each([
  [1, [1], true, 1],
  [2, [1, 2], true, 1],
  [3, [1, 2, 3], true, 2],
  [4, [1, 2, 3, 4], true, 2],
  [5, [1, 2, 3, 4, 5], false, 3],
  [6, [1, 2, 3, 4, 5], false, 3],
])('until %i: exactly so many, no page too many, and whether more matched', async (until, expected, truncated, pages) => {
  const { items, page } = await follow(three, until)
  expect(items).toEqual(expected)
  expect(page).toEqual({ truncated, count: expected.length, pages })
})

test('a warning says that the last page of a full list does not tell whether there are more', async () => {
  expect((await follow([{ items: [1, 2] }], 2)).doubt).toContain('there may be more items')
  expect((await follow([pageOf([1, 2], 'a')], 2)).doubt).toBeNull()
  expect((await follow([{ items: [1, 2, 3] }], 2)).doubt).toBeNull()
})

test.each<[string, Json, number | null, string | null]>([
  ['more than all pages have', 9, null, 'says at `meta.count` that there are 9 items, and all pages together have 3'],
  ['the same as a text', '9', null, 'there are 9 items'],
  ['as many as all pages have', 3, null, null],
  ['fewer', 0, null, null],
  ['more, but the rest was not asked for', 9, 2, null],
  ['no number', 'many', null, null],
  ['nothing', null, null, null],
])('an answer that counts %s', async (_, count, until, doubt) => {
  const counted = { meta: { nextCursor: null, hasMore: false, count }, items: [3] }
  const listing = await follow([pageOf([1, 2], 'a'), counted], until, { ...document, total: 'meta.count' })
  if (doubt === null) expect(listing.doubt).toBeNull()
  else expect(listing.doubt).toContain(doubt)
})

test('without `more`, the last page is the one without a cursor', async () => {
  const { more: _, ...form } = document
  expect(
    (
      await follow(
        [
          { meta: { nextCursor: 7 }, items: [1] },
          { meta: {}, items: [2] },
        ],
        null,
        form,
      )
    ).cursors,
  ).toEqual([null, '7'])
})

test('if the vendor says that nothing follows, its cursor is not used', async () => {
  expect((await follow([pageOf([1], 'a', false)], null)).items).toEqual([1])
})

test.each([
  ['a cursor that comes again', [pageOf([1], 'a'), pageOf([2], 'b'), pageOf([3], 'a')]],
  ['the same cursor for ever', [pageOf([1], 'a')]],
  ['more without a cursor', [pageOf([1], null, true)]],
])('endless: %s', async (_, bodies) => {
  await expect(follow(bodies, null)).rejects.toMatchObject({ code: 'paging_endless' })
})

test('endless: page after page without items; a few are fine', async () => {
  const empty = (count: number): Json[] => Array.from({ length: count }, (_, at) => pageOf([], `c${at}`))
  await expect(follow([...empty(40), pageOf([1], null)], null)).rejects.toMatchObject({ code: 'paging_endless' })
  expect((await follow([...empty(5), pageOf([1], null)], null)).items).toEqual([1])
})

test('endless: more pages than any listing has', async () => {
  await expect(
    follow(
      Array.from({ length: 1_002 }, (_, at) => pageOf([at], `c${at}`)),
      null,
    ),
  ).rejects.toMatchObject({ code: 'paging_endless' })
})

test('pages that are each within the limits but too large together fail with their own error', async () => {
  const items = [{ text: 'x'.repeat(10_000_000) }]
  const pages = Array.from({ length: 10 }, (_, at) => pageOf(items, `c${at}`))
  await expect(follow(pages, null)).rejects.toMatchObject({ code: 'answer_too_large' })
})

test.each([{ meta: {} }, { items: {} }, [1], 'text', null])('an answer without the list is not understood: %j', async (body) => {
  await expect(follow([body], null)).rejects.toMatchObject({ code: 'answer_not_understood' })
})

test('until is a count or absent', () => {
  const { until } = compilePages(document)
  expect(until({ input: { max: 5 } })).toBe(5)
  expect(until({ input: {} })).toBeNull()
  for (const max of ['5', -1, 1.5]) expect(() => until({ input: { max } })).toThrow(expect.objectContaining({ code: 'skill_input_invalid' }))
})
