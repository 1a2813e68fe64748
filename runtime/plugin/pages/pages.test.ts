import { expect, test } from 'vitest'
import type { Json } from '../../domain/index.ts'
import type { SkillAnswer } from '../answer/skill-answer.ts'
import type { PaginationDocument } from '../grammar/index.ts'
import { compilePages, followPages, type Listing } from '../request/paginate.ts'
import type { SkillRequest } from '../request/skill-request.ts'
import { answerOf } from '../testing.ts'

const first: SkillRequest = { method: 'GET', path: '/things', query: [['limit', '2']], headers: {}, body: undefined }
const token: PaginationDocument = { kind: 'token', send: 'nextToken', next: 'paging.nextToken', more: 'paging.moreResults', items: 'result' }
const address: PaginationDocument = { kind: 'next_url', next: 'links.next', items: 'result' }
const counted: PaginationDocument = { kind: 'offset', send: 'offset', total: 'total', items: 'result' }
const told: PaginationDocument = { kind: 'offset', send: 'offset', more: 'hasMore', items: 'result' }

/** Returns these bodies in turn, repeating the last one, and records the requests. */
async function follow(form: PaginationDocument, bodies: readonly Json[], until: number | null = null): Promise<Listing & { sent: SkillRequest[] }> {
  const sent: SkillRequest[] = []
  const plan = compilePages(form)
  const listing = await followPages(plan, until, async (name) => {
    const body = bodies[Math.min(sent.push(name === null ? first : plan.turning.turn(first, name)) - 1, bodies.length - 1)]
    return answerOf(200, body ?? null)
  })
  return { ...listing, sent }
}

test('token: the token is sent in addition to the first query while more results are promised', async () => {
  const { items, sent, page } = await follow(token, [
    { result: [1, 2], paging: { moreResults: true, nextToken: 'a' } },
    { result: [3], paging: { moreResults: false, nextToken: null } },
  ])
  expect(items).toEqual([1, 2, 3])
  expect(page).toEqual({ truncated: false, count: 3, pages: 2 })
  expect(sent.map(({ query }) => query)).toEqual([
    [['limit', '2']],
    [
      ['limit', '2'],
      ['nextToken', 'a'],
    ],
  ])
})

test('token: a leftover one on the last page is not followed', async () => {
  expect((await follow(token, [{ result: [1], paging: { moreResults: false, nextToken: 'a' } }])).items).toEqual([1])
})

test('token: more results without a token are an error, not a short list', async () => {
  const answer = { result: [1], paging: { moreResults: true, nextToken: null } }
  await expect(follow(token, [answer])).rejects.toMatchObject({ code: 'paging_endless' })
})

test('token: if more is promised without a token, the number of items so far is sent instead', async () => {
  const either: PaginationDocument = { ...token, offset: 'offset' }
  const { items, sent } = await follow(either, [
    { result: [1, 2], paging: { moreResults: true } },
    { result: [3, 4], paging: { moreResults: true, nextToken: 'a' } },
    { result: [5], paging: { moreResults: true, nextToken: null } },
    { result: [6], paging: { moreResults: false, nextToken: 'b' } },
  ])
  expect(items).toEqual([1, 2, 3, 4, 5, 6])
  expect(sent.map(({ query }) => query[1])).toEqual([undefined, ['offset', '2'], ['nextToken', 'a'], ['offset', '5']])
  expect((await follow(either, [{ result: [1] }])).items).toEqual([1])
})

test('token: a system that ignores the offset and repeats its records is endless', async () => {
  const same = { result: [{ id: 'x' }, { id: 'y' }], paging: { moreResults: true } }
  await expect(follow({ ...token, offset: 'offset' }, [same])).rejects.toMatchObject({ code: 'paging_endless' })
})

test('null is an empty list; a missing list is an error', async () => {
  expect((await follow(token, [{ result: null }])).items).toEqual([])
  await expect(follow(token, [{}])).rejects.toMatchObject({ code: 'answer_not_understood' })
})

test('next_url: the host gets the URL unchanged, with the first request to resolve it against', async () => {
  const { items, sent } = await follow(address, [
    { result: [1], links: { next: '/v2/things/page-2?x=1' } },
    { result: [2], links: {} },
  ])
  expect(items).toEqual([1, 2])
  expect(sent).toEqual([first, { ...first, next: '/v2/things/page-2?x=1' }])
})

test.each<[string, PaginationDocument, Json, string | null]>([
  ['neither of the places', token, { result: [1] }, '`paging.moreResults` or `paging.nextToken`'],
  ['one of them', token, { result: [1], paging: { moreResults: false } }, null],
  [
    'a misspelt place',
    { kind: 'cursor', send: 'cursor', next: 'metta.nextCursor', items: 'result' },
    { result: [1], meta: { nextCursor: 'c' } },
    '`metta`',
  ],
  [
    'a last page without a name for the next',
    { kind: 'cursor', send: 'cursor', next: 'meta.nextCursor', items: 'result' },
    { result: [1], meta: {} },
    null,
  ],
  ['the same at the top of the answer', { kind: 'cursor', send: 'cursor', next: 'nextCursor', items: 'result' }, { result: [1] }, null],
])('an answer that has nothing where it should say that more follows is told apart: %s', async (_, form, body, silent) => {
  const listing = await follow(form, [body])
  expect(listing.items).toEqual([1])
  if (silent === null) expect(listing.doubt).toBeNull()
  else expect(listing.doubt).toContain(silent)
})

test('next_url: a repeated URL is endless', async () => {
  await expect(follow(address, [{ result: [1], links: { next: '/a' } }])).rejects.toMatchObject({ code: 'paging_endless' })
})

test('offset: the next page begins after the items so far, whatever the size of a page', async () => {
  const { items, sent } = await follow(counted, [
    { result: [1, 2], total: 4 },
    { result: [3], total: 4 },
    { result: [4], total: 4 },
  ])
  expect(items).toEqual([1, 2, 3, 4])
  expect(sent.map(({ query }) => query[1])).toEqual([undefined, ['offset', '2'], ['offset', '3']])
})

test('offset: a boolean says whether there are more', async () => {
  const bodies = [
    { result: [1, 2], hasMore: true },
    { result: [3, 4], hasMore: false },
  ]
  expect((await follow(told, bodies)).items).toEqual([1, 2, 3, 4])
  expect((await follow(told, bodies, 2)).page).toEqual({ truncated: true, count: 2, pages: 1 })
  expect((await follow(told, bodies, 4)).page).toEqual({ truncated: false, count: 4, pages: 2 })
})

test('offset: an empty page that promises more is endless', async () => {
  await expect(
    follow(counted, [
      { result: [1], total: 9 },
      { result: [], total: 9 },
    ]),
  ).rejects.toMatchObject({ code: 'paging_endless' })
})

test('offset: an answer that does not say whether there are more is not taken for the last', async () => {
  await expect(follow(counted, [{ result: [1] }])).rejects.toMatchObject({ code: 'answer_not_understood' })
  await expect(follow(told, [{ result: [1], total: 1 }])).rejects.toMatchObject({ code: 'answer_not_understood' })
})

const linked: PaginationDocument = { kind: 'link' }
const page = (link: string | undefined, body: Json): SkillAnswer => answerOf(200, body, link === undefined ? {} : { link })

/** Like `follow`, with whole answers. */
async function followAnswers(form: PaginationDocument, answers: readonly SkillAnswer[]): Promise<{ listing: Listing; sent: (string | null)[] }> {
  const sent: (string | null)[] = []
  const listing = await followPages(compilePages(form), null, async (name) => answers[sent.push(name) - 1] ?? answerOf(500, null))
  return { listing, sent }
}

test('link: the URL with rel="next" in the Link header is followed, and the answer itself may be the list', async () => {
  const { listing, sent } = await followAnswers(linked, [
    page('<https://api.example.com/things?page=2>; rel="next", <https://api.example.com/things?page=9>; rel="last"', [1, 2]),
    page('<https://api.example.com/things?page=1>; rel="first prev"', [3]),
  ])
  expect(listing).toMatchObject({ items: [1, 2, 3], doubt: null, page: { truncated: false, pages: 2 } })
  expect(sent).toEqual([null, 'https://api.example.com/things?page=2'])
  expect((await followAnswers({ kind: 'link', items: 'data' }, [page(undefined, { data: [1] })])).listing.items).toEqual([1])
  await expect(followAnswers(linked, [page(undefined, { data: [1] })])).rejects.toMatchObject({ code: 'answer_not_understood' })
})

test.each<[string, string, string | null]>([
  ['no header', '', null],
  ['only other relations', '</style.css>; rel=preload; as=style', null],
  ['a comma and a semicolon in the URL', '</t?in=a,b;c&page=2>; rel=next', '/t?in=a,b;c&page=2'],
  ['names in capitals, several relations', '</t>; title="x"; REL="Last NEXT"', '/t'],
  ['a quoted text that looks like a relation', '</a>; title="b, </c>; rel=\\"next\\"", </d>; rel="next"', '/d'],
  ['two relations of one link, of which the first counts', '</a>; rel=prev; rel=next', null],
  ['a link about something else', '</a>; rel=next; anchor="#part", </b>; rel=next', '/b'],
  ['empty parts and spaces', ' , </a> ; rel = "next" ; , ', '/a'],
  ['a parameter without a value', '</a>; crossorigin; rel=next', '/a'],
])('link: a header with %s', async (_, header, next) => {
  const { sent } = await followAnswers(linked, [page(header, [1]), page(undefined, [2])])
  expect(sent).toEqual(next === null ? [null] : [null, next])
})

test.each(['https://api.example.com/t?page=2; rel=next', '</t; rel=next', '</t>; rel="next', '</a>; rel=prev </b>; rel=next'])(
  'link: a malformed header is not taken for the last page: %s',
  async (header) => {
    await expect(followAnswers(linked, [page(header, [1])])).rejects.toMatchObject({
      code: 'answer_not_understood',
      message: expect.stringContaining('Link'),
    })
  },
)
