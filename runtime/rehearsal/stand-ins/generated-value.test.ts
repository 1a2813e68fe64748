import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadPluginFolders } from '../../plugin/index.ts'
import { completedValue, generatedValue } from './generated-value.ts'

const plugins = await loadPluginFolders([fileURLToPath(new URL('../../../plugins', import.meta.url))])
const skills = plugins.flatMap(({ id, skills }) => [...skills.values()].map((skill) => ({ name: `${id}.${skill.id}`, skill })))

test.each(skills)('values generated from the output schema of $name fit it, with all members or the required ones', ({ skill }) => {
  for (const members of ['all', 'required'] as const) expect(skill.checkOutput(generatedValue(skill.document.output, members))).toEqual([])
})

test('uses constants, enumerations, examples, bounds, formats and choices', () => {
  const schema = {
    type: 'object',
    required: ['state', 'count', 'id', 'mail', 'either', 'rows'],
    properties: {
      state: { const: 'suspended' },
      kind: { enum: ['a', 'b'] },
      role: { type: ['string', 'null'], examples: ['ADMIN'] },
      count: { type: 'integer', minimum: 3, maximum: 9 },
      even: { type: 'integer', minimum: 3, multipleOf: 2 },
      id: { type: 'string', format: 'int64-string' },
      mail: { type: 'string', 'x-semantic': 'email_address' },
      either: { anyOf: [{ type: 'string', minLength: 6 }, { type: 'integer' }] },
      rows: { type: 'array', minItems: 2, items: { $ref: '#/$defs/row' } },
    },
    $defs: {
      row: { allOf: [{ type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }, { properties: { m: { type: 'boolean' } } }] },
    },
  }
  expect(generatedValue(schema, 'all')).toEqual({
    state: 'suspended',
    kind: 'a',
    role: 'ADMIN',
    count: 3,
    even: 4,
    id: '1001',
    mail: 'someone@example.com',
    either: 'textxx',
    rows: [
      { n: 1, m: false },
      { n: 1, m: false },
    ],
  })
  expect(Object.keys(generatedValue(schema, 'required') as object)).toEqual(['state', 'count', 'id', 'mail', 'either', 'rows'])
})

test('ends for a schema that refers to itself', () => {
  const schema = { type: 'object', properties: { name: { type: 'string' }, child: { $ref: '#' } } }
  expect(JSON.stringify(generatedValue(schema, 'all')).length).toBeLessThan(300)
})

test('generates an empty object completely', () => {
  const user = { type: 'object', required: ['id'], properties: { id: { type: 'string' }, name: { type: 'string' } } }
  const schema = { type: 'object', properties: { users: { type: 'array', items: user }, data: { type: 'object' } } }
  expect(completedValue({ users: [{}, { id: 'a' }], data: {} }, schema)).toEqual({ users: [{ id: 'text', name: 'text' }, { id: 'a' }], data: {} })
})

test('adds missing required members, in lists too, and keeps what is there', () => {
  const user = { type: 'object', required: ['id', 'state'], properties: { id: { type: 'string' }, state: { enum: ['on', 'off'] } } }
  const schema = {
    type: 'object',
    required: ['users', 'truncated'],
    properties: { users: { type: 'array', items: user }, truncated: { type: 'boolean' } },
  }
  expect(completedValue({ users: [{ state: 'off' }, {}] }, schema)).toEqual({
    users: [
      { state: 'off', id: 'text' },
      { id: 'text', state: 'on' },
    ],
    truncated: false,
  })
})
