import { expect, test } from 'vitest'
import type { Json } from '../../domain/index.ts'
import type { RequestDocument } from '../grammar/index.ts'
import { compileRequest, renderRequest } from './request.ts'
import type { SkillRequest } from './skill-request.ts'

function render(request: Partial<RequestDocument>, input: Json, schema: Readonly<Record<string, Json>> = {}): SkillRequest {
  const document = { method: 'POST', path: '/things', ...request } as RequestDocument
  const plan = compileRequest(document, {}, schema, (_, compile) => compile())
  if (!plan) throw new Error('it did not compile')
  return renderRequest(plan, { input, call: { key: 'k' }, credentials: { region: 'eu' } })
}

test.each([
  ['iss.1.a+b/c==', 'iss.1.a%2Bb%2Fc%3D%3D'],
  ['a/../b', 'a%2F..%2Fb'],
  ['a?b#c', 'a%3Fb%23c'],
  ['%2e%2e', '%252e%252e'],
  ['ä €', '%C3%A4%20%E2%82%AC'],
])('an inserted value is one segment of the path: %s', (id, segment) => {
  const { path } = render({ path: '/things/{{ input.id }}/parts' }, { id })
  expect(path).toBe(`/things/${segment}/parts`)
  expect(new URL(path, 'https://x.example').pathname).toBe(path)
})

test.each(['', '.', '..'])('a value that would change the path is refused: %j', (id) => {
  expect(() => render({ path: '/things/{{ input.id }}' }, { id })).toThrow(expect.objectContaining({ code: 'skill_input_invalid' }))
})

test('a slash at the end stays if the skill wrote it, and no value becomes one', () => {
  expect(render({ path: '/things/{{ input.id }}/' }, { id: 'a' }).path).toBe('/things/a/')
  for (const path of ['/things/{{ input.id }}/', '/things/{{ input.id }}', '/things/a/{{ input.id }}'])
    expect(() => render({ path }, { id: '' })).toThrow(expect.objectContaining({ code: 'skill_input_invalid' }))
})

test('a path with a missing value is refused', () => {
  expect(() => render({ path: '/things/{{ input.id }}' }, {})).toThrow(expect.objectContaining({ code: 'template_failed' }))
})

test('query: absent and null values are left out, lists repeat, numbers and booleans become text', () => {
  const query = {
    absent: '{{ input.absent }}',
    none: '{{ input.none }}',
    list: '{{ input.list }}',
    number: '{{ input.number }}',
    yes: true,
    zero: 0,
    empty: '',
    region: '{{ credentials.region }}',
  }
  expect(render({ query }, { none: null, list: ['a', 'b'], number: 7 }).query).toEqual([
    ['list', 'a'],
    ['list', 'b'],
    ['number', '7'],
    ['yes', 'true'],
    ['zero', '0'],
    ['empty', ''],
    ['region', 'eu'],
  ])
})

test('query: an object is refused', () => {
  expect(() => render({ query: { a: '{{ input.a }}' } }, { a: { b: 1 } })).toThrow(expect.objectContaining({ code: 'skill_input_invalid' }))
})

test('headers: absent ones are left out; a line break is refused', () => {
  const headers = { 'X-Key': '{{ call.key }}', 'X-Other': '{{ input.other }}' }
  expect(render({ headers }, {}).headers).toEqual({ 'x-key': 'k' })
  expect(() => render({ headers }, { other: 'a\r\nx-evil: 1' })).toThrow(expect.objectContaining({ code: 'skill_input_invalid' }))
})

test('body: types are kept, absent keys are left out', () => {
  const body = { a: '{{ input.a }}', list: ['{{ input.gone }}', '{{ input.a }}'], text: 'n={{ input.a }}', deep: { gone: '{{ input.gone }}' } }
  expect(render({ body }, { a: 5 }).body).toEqual({ a: 5, list: [5], text: 'n=5' })
  expect(render({}, {}).body).toBeUndefined()
})

test('body: an object or list that becomes empty is left out; values of the input are sent unchanged', () => {
  const body = {
    change: { add: '{{ input.add }}', remove: '{{ input.remove }}', deeper: { gone: '{{ input.gone }}' } },
    list: ['{{ input.gone }}'],
    pairs: [{ gone: '{{ input.gone }}' }, { a: '{{ input.a }}' }],
    nothing: {},
    none: [],
    given: '{{ input.given }}',
    null: '{{ input.null }}',
  }
  const input = { a: 1, given: { empty: {}, list: [] }, null: null }
  expect(render({ body }, input).body).toEqual({ pairs: [{ a: 1 }], nothing: {}, none: [], given: { empty: {}, list: [] }, null: null })
  expect(render({ body }, { ...input, add: [['x'], null] }).body).toMatchObject({ change: { add: [['x'], null] } })
  expect(render({ body: { deep: { gone: '{{ input.gone }}' } } }, {}).body).toEqual({})
  expect(render({ body: ['{{ input.gone }}'] }, {}).body).toEqual([])
})

const int64 = { type: 'string', format: 'int64-string' }
const schema = {
  type: 'object',
  properties: {
    id: int64,
    ids: { type: 'array', items: int64 },
    device: { type: 'object', properties: { id: int64, name: { type: 'string' } } },
    name: { type: 'string' },
  },
}

test('body: an int64-string is sent as a number with all its digits', () => {
  const big = '9007199254740993'
  const body = {
    id: '{{ input.id }}',
    ids: '{{ input.ids }}',
    device: '{{ input.device }}',
    list: ['{{ input.id }}'],
    note: 'id {{ input.id }}',
    name: '{{ input.name }}',
  }
  const sent = render({ body }, { id: big, ids: ['5', `-${big}`], device: { id: big, name: big }, name: big }, schema)
  expect(JSON.stringify(sent.body)).toBe(
    `{"id":${big},"ids":[5,-${big}],"device":{"id":${big},"name":"${big}"},"list":[${big}],"note":"id ${big}","name":"${big}"}`,
  )
})

test('body: an integer-string may have more digits than 64 bits', () => {
  const any = { type: 'object', properties: { id: { type: 'string', format: 'integer-string' } } }
  const sent = render({ body: { id: '{{ input.id }}', none: '{{ input.none }}' } }, { id: '123456789012345678901' }, any)
  expect(JSON.stringify(sent.body)).toBe('{"id":123456789012345678901}')
})

test('query: an int64-string is sent as its digits', () => {
  expect(render({ query: { id: '{{ input.id }}' } }, { id: '9007199254740993' }, schema).query).toEqual([['id', '9007199254740993']])
})
