import { describe, expect, it } from 'vitest'
import type { Json } from '../domain/index.ts'
import { isTocsinError } from '../errors/index.ts'
import { compile, faultsOf, playbook } from './compile/testing.ts'
import { readInputs } from './inputs.ts'

function read(inputs: string, content: string | Json): Readonly<Record<string, Json>> {
  const plan = compile(playbook('  - { id: a, stop: { outcome: completed } }\n', `inputs:\n${inputs.replace(/^\n/, '')}`))
  return readInputs(plan, typeof content === 'string' ? content : JSON.stringify(content))
}

function refusal(inputs: string, content: string | Json): { code: string; fields: string[]; message: string } {
  try {
    read(inputs, content)
  } catch (error) {
    if (isTocsinError(error)) return { code: error.code, fields: error.places.map(({ field }) => field), message: error.message }
    throw error
  }
  throw new Error('they were read')
}

const user =
  "  user: { type: string, format: email, from: [content.user.email, content.employee.email, { pattern: 'user=(?P<value>[^\\s,]+)' }], required: true }\n"

describe('the first place that fits', () => {
  it('is read from JSON content', () => {
    expect(read(user, { user: { email: 'a@example.com' }, employee: { email: 'b@example.com' } })).toEqual({ user: 'a@example.com' })
    expect(read(user, { user: {}, employee: { email: 'b@example.com' } })).toEqual({ user: 'b@example.com' })
  })

  it('is read from text by a pattern', () => {
    expect(read(user, 'login failed user=ada@example.com, ip=1.2.3.4')).toEqual({ user: 'ada@example.com' })
  })

  it('skips a value that does not fit', () => {
    expect(read(user, { user: { email: 'not an address' }, employee: { email: 'b@example.com' } })).toEqual({ user: 'b@example.com' })
  })

  it('skips a value that is null or empty', () => {
    expect(read(user, { user: { email: null }, employee: { email: '' }, log: 'user=ada@example.com,' })).toEqual({ user: 'ada@example.com' })
  })

  it('enters lists by index, and only own keys of objects', () => {
    expect(read('  a: { type: string, from: [content.list.1.x] }\n', { list: [{}, { x: 'y' }] })).toEqual({ a: 'y' })
    expect(read('  a: { type: integer, from: [content.list.length] }\n', { list: [1] })).toEqual({})
    expect(read('  a: { type: object, from: [content.constructor] }\n', {})).toEqual({})
  })
})

it('counts a value that does not fit as missing if the input says so', () => {
  const lenient = '  ip: { type: string, format: ip, unfit: missing, from: [content.ip] }\n'
  expect(read(lenient, { ip: 'unknown' })).toEqual({})
  expect(read(lenient.replace('from', 'default: 0.0.0.0, from'), { ip: {} })).toEqual({ ip: '0.0.0.0' })
  expect(refusal(lenient.replace('from', 'required: true, from'), { ip: 'unknown' }).code).toBe('inputs_missing')
})

it('leaves out an input that is not found, or uses its default', () => {
  expect(read('  a: { type: string, from: [content.a] }\n  b: { type: integer, default: 3, from: [content.b] }\n', {})).toEqual({ b: 3 })
})

it('names every required input that is missing, and where it looked', () => {
  const { code, fields, message } = refusal(`${user}  ip: { type: string, from: [content.ip], required: true }\n`, 'nothing of use')
  expect(code).toBe('inputs_missing')
  expect(fields).toEqual(['inputs.user', 'inputs.ip'])
  expect(message).toContain('content.employee.email, a pattern in the text')
})

it.each<[string, Json]>([
  ['type: string', 5],
  ['type: integer', 1.5],
  ['type: integer', '12'],
  ['type: number', '1'],
  ['type: boolean', 'true'],
  ['type: array', { a: 1 }],
  ['type: object', [1]],
  ['type: array, items: { type: string }', ['a', 1]],
  ['type: string, enum: [a, b]', 'c'],
  ['type: string, format: ip', '300.1.1.1'],
  ['type: string, format: ipv4', '::1'],
  ['type: string, format: email', 'a@b c'],
  ['type: string, format: uri', 'not a uri'],
  ['type: string, format: uuid', '1234'],
  ['type: string, format: date-time', '2024-13-01T00:00:00Z'],
  ['type: string, format: hostname', 'a b'],
  ['type: string, format: domain', 'partner'],
  ['type: string, format: cidr-range', '192.0.2.1'],
])('refuses a value that is not %s', (shape, value) => {
  const { code, fields } = refusal(`  a: { ${shape}, from: [content.a] }\n`, { a: value })
  expect(code).toBe('inputs_invalid')
  expect(fields).toEqual(['inputs.a'])
})

it.each<[string, Json]>([
  ['type: integer', -5],
  ['type: number', 1.5],
  ['type: boolean', false],
  ['type: array, items: { type: object }', [{}, { a: 1 }]],
  ['type: string, format: ip', '2001:db8::1'],
  ['type: string, format: email', "o'neil+x@sub.example.com"],
  ['type: string, format: uri', 'https://example.com/a?b#c'],
  ['type: string, format: uuid', '0190a6e4-7b5c-7def-8a1b-1234567890ab'],
  ['type: string, format: date-time', '2024-01-01T10:00:00.5+02:00'],
  ['type: string, format: date', '2024-02-29'],
  ['type: string, format: hostname', 'mail.example.com'],
  ['type: string, format: domain', 'partner.example'],
  ['type: string, format: cidr-range', '192.0.2.0/24'],
])('accepts a value that is %s', (shape, value) => {
  expect(read(`  a: { ${shape}, from: [content.a] }\n`, { a: value })).toEqual({ a: value })
})

it.each(['integer', 'number'])('keeps a JSON integer beyond 2^53 exact, as %s', (type) => {
  expect(read(`  a: { type: ${type}, from: [content.a] }\n`, '{"a":12345678901234567890}')).toEqual({ a: '12345678901234567890' })
})

it("converts what a pattern finds to the input's type", () => {
  const inputs = "  n: { type: integer, from: [{ pattern: 'n=(\\S+)' }] }\n  b: { type: boolean, from: [{ pattern: 'b=(\\S+)' }] }\n"
  expect(read(inputs, 'n=42 b=true')).toEqual({ n: 42, b: true })
  expect(refusal(inputs, 'n=4x b=yes').fields).toEqual(['inputs.n', 'inputs.b'])
})

it('does not hang on hostile content', () => {
  const hostile = `user=${'a'.repeat(200_000)}@${'a.'.repeat(100_000)}`
  const { code, message } = refusal(user, hostile)
  expect(code).toBe('evaluation_exceeded')
  expect(message).toBe('the pattern of inputs.user takes more than 2,000,000 units of work.')
})

it('refuses declarations that cannot work', () => {
  const faults = (input: string): string[] => faultsOf(playbook('  - { id: a, stop: { outcome: completed } }\n', `inputs: { x: ${input} }\n`))
  expect(faults('{ type: integer, default: many }')[0]).toContain('inputs.x.default: must be an integer')
  expect(faults('{ type: string, required: true }')[0]).toContain('needs `from`')
  expect(faults('{ type: string, required: true, default: a, from: [content.a] }')[0]).toContain('never missing')
  expect(faults('{ type: integer, format: ip }')[0]).toContain('`format` is only for the type string')
  expect(faults('{ type: string, items: { type: string } }')[0]).toContain('`items` is only for the type array')
})
