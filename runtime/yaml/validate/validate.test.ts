import { expect, it } from 'vitest'
import { durationSchema } from '../../formats/index.ts'
import { compileCheck, parseYaml, validate } from '../index.ts'

const check = compileCheck({
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string', pattern: '^[a-z]+$', 'x-fault': 'must be small letters' },
    impact: { enum: ['read', 'write', 'high'] },
    count: { type: 'integer', minimum: 1 },
    timeout: { type: 'string', ...durationSchema('1m') },
    time: { type: 'string', ...durationSchema() },
    on: { anyOf: [{ enum: ['fail', 'continue'] }, { type: 'array', items: { $ref: '#/$defs/item' } }] },
    'a/b': { type: 'object', properties: { c: { type: 'boolean' } } },
  },
  $defs: { item: { type: 'object', required: ['id'], properties: { id: { type: 'string' } }, additionalProperties: false } },
})

function faults(text: string): string[] {
  const { value, locate } = parseYaml(text, 'x.yaml')
  return validate(check, value, locate).map(({ line, column, field, message }) => `${line}:${column} ${field}: ${message}`)
}

it('finds no fault in a value that fits', () => {
  expect(faults('name: a\nimpact: read\non: [{ id: x }]\n')).toEqual([])
})

it('names an unknown key, its place, and the nearest known key', () => {
  expect(faults('name: a\nimpct: read\n')).toEqual(['2:1 impct: `impct` is not a key here; did you mean `impact`?'])
})

it('names the nearest right word', () => {
  expect(faults('name: a\nimpact: hihg\n')).toEqual(['2:9 impact: must be one of `read`, `write`, `high`; did you mean `high`?'])
})

it('finds every fault, in the order of the file', () => {
  expect(faults('count: 0\nname: A\nother: 1\n')).toEqual([
    '1:8 count: must be >= 1',
    '2:7 name: must be small letters',
    '3:1 other: `other` is not a key here; the keys are name, impact, count, timeout, time, on, a/b',
  ])
})

it('reports a missing key at the mapping that needs it', () => {
  expect(faults('count: 1\n')).toEqual(['1:1 name: `name` is missing'])
})

it('reduces a choice to the alternative that was meant', () => {
  expect(faults('name: a\non: [{ ide: x }]\n')).toEqual(['2:6 on.0.id: `id` is missing', '2:8 on.0.ide: `ide` is not a key here; did you mean `id`?'])
  expect(faults('name: a\non: later\n')).toEqual(['2:5 on: must be `fail` or `continue` or a list'])
})

it('keeps the faults beside a choice', () => {
  expect(faults('name: A\non: later\ncount: x\n').map((fault) => fault.split(':')[0])).toEqual(['1', '2', '3'])
})

it.each(['1m', '60s', '60000ms', '0s'])('takes a duration within its limit: %s', (given) => {
  expect(faults(`name: a\ntimeout: ${given}\n`)).toEqual([])
})

it.each([
  ['timeout', '61s', 'must be 1m at most'],
  ['timeout', '20d', 'must be 1m at most'],
  ['time', '999999999d', 'must be 3650d at most'],
  ['timeout', 'soon', 'must be a duration, such as 500ms, 30s, 10m, 4h, 1d'],
])('refuses the %s %s', (field, given, why) => {
  expect(faults(`name: a\n${field}: ${given}\n`)).toEqual([`2:${field.length + 3} ${field}: ${why}`])
})

it('reads keys that have a slash', () => {
  expect(faults('name: a\na/b: { c: 1 }\n')).toEqual(['2:11 a/b.c: must be true or false'])
})

it('describes the whole document when it is of the wrong type', () => {
  expect(faults('- 1\n')).toEqual(['1:1 : must be a mapping; its keys are name, impact, count, timeout, time, on, a/b'])
})
