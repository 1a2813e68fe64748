import { expect, test } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { yaml } from '../../packages/index.ts'
import { draftFromOpenApi } from './draft.ts'

interface Listing {
  /** The members of the answer besides its list. Null: the answer itself is the list. */
  readonly members: Readonly<Record<string, Json>> | null
  readonly query?: Readonly<Record<string, Json>>
  readonly headers?: Json
}

const users = { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } }
const text = { type: 'string' }
const whole = { type: 'integer' }
const truth = { type: 'boolean' }
const link = { Link: { schema: text } }

/** Drafts the skill of a listing, and returns its text. */
function drafted({ members, query = {}, headers = {} }: Listing): string {
  const schema = members === null ? users : { type: 'object', properties: { users, ...members } }
  const parameters = Object.entries(query).map(([name, one]) => ({ name, in: 'query', schema: one }))
  const responses = { '200': { headers, content: { 'application/json': { schema } } } }
  const document = { openapi: '3.1.0', paths: { '/users': { get: { operationId: 'listUsers', parameters, responses } } } }
  const { files } = draftFromOpenApi('staff', JSON.stringify(document), 'staff.json', null)
  return files.find(({ path }) => path === 'skills/list_users.yaml')?.text ?? ''
}

interface Skill {
  readonly request: { readonly paginate?: Json; readonly query?: Json; readonly result: Json }
  readonly input: { readonly properties: Readonly<Record<string, Json>> }
  readonly output: Json
}

const skill = (listing: Listing): Skill => yaml().parse(drafted(listing)) as Skill
const until = '{{ input.max_items }}'
const items = 'users'

test.each<[string, Listing, Json]>([
  ['a cursor', { members: { next_cursor: text }, query: { cursor: text } }, { kind: 'cursor', send: 'cursor', next: 'next_cursor', items, until }],
  [
    'a token in an object, and a sign that more follow',
    { members: { meta: { type: 'object', properties: { nextPageToken: text, hasMore: truth } } }, query: { pageToken: text } },
    { kind: 'cursor', send: 'pageToken', next: 'meta.nextPageToken', more: 'meta.hasMore', items, until },
  ],
  [
    'a token of one name',
    { members: { nextToken: text }, query: { nextToken: text } },
    { kind: 'cursor', send: 'nextToken', next: 'nextToken', items, until },
  ],
  ['an address', { members: { next: { type: ['string', 'null'], format: 'uri' }, count: whole } }, { kind: 'next_url', next: 'next', items, until }],
  [
    'an address by its name',
    { members: { links: { type: 'object', properties: { next_url: text } } } },
    { kind: 'next_url', next: 'links.next_url', items, until },
  ],
  ['a Link header', { members: { total: whole }, headers: link }, { kind: 'link', items, until }],
  ['a Link header, and an answer that is the list', { members: null, headers: link }, { kind: 'link', until }],
  [
    'an offset and a total',
    { members: { total_count: whole }, query: { offset: whole } },
    { kind: 'offset', send: 'offset', total: 'total_count', items, until },
  ],
  [
    'an offset and a sign',
    { members: { has_more: truth }, query: { skip: { ...whole, default: 0 } } },
    { kind: 'offset', send: 'skip', more: 'has_more', items, until },
  ],
])('pages with %s', (_what, listing, paginate) => {
  expect(skill(listing).request.paginate).toEqual(paginate)
  expect(drafted(listing)).toContain('# Taken from the names in the document.')
})

test('a listing returns the items of all pages, and its caller says how many, not which page', () => {
  const { request, input, output } = skill({ members: { next_cursor: text }, query: { cursor: text, limit: whole } })
  expect(input.properties).toEqual({ limit: whole, max_items: expect.objectContaining({ type: 'integer', default: 1_000 }) })
  expect(request.query).toEqual({ limit: '{{ input.limit }}' })
  expect(request.result).toEqual({ users: '{{ items }}', truncated: '{{ page.truncated }}' })
  expect(output).toMatchObject({ required: ['users', 'truncated'], properties: { users: { type: 'array' }, truncated: truth } })
})

test.each<[string, Listing]>([
  ['pages by number', { members: { total: whole }, query: { page: whole } }],
  ['a cursor that nothing sends', { members: { next_cursor: text } }],
  ['a cursor that no answer has', { members: {}, query: { cursor: text } }],
  ['two cursors', { members: { next_cursor: text, next_token: text }, query: { cursor: text, token: text } }],
  ['two lists', { members: { others: users, next_cursor: text }, query: { cursor: text } }],
  ['a next that may be anything', { members: { next: text } }],
  ['a name with a dot, which no path can have', { members: { '@odata.next_link': text } }],
  ['an offset that begins at 1', { members: { total: whole }, query: { offset: { ...whole, minimum: 1 } } }],
  ['an offset without an end', { members: { count: whole }, query: { offset: whole } }],
  ['an answer that is a list, without a word about pages', { members: null, query: { cursor: text } }],
])('does not guess: %s', (_what, listing) => {
  expect(skill(listing).request.paginate).toBeUndefined()
  expect(drafted(listing)).toContain('# A list, and the document does not say clearly how it goes on.')
})
