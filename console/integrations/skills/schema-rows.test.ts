import { expect, test } from 'vitest'
import { schemaRows } from './schema-rows.ts'

test('lists the fields of a schema with path, type, and whether they are required', () => {
  const schema = {
    type: 'object',
    required: ['users'],
    properties: {
      users: { type: 'array', items: { type: 'object', properties: { state: { enum: ['active', 'gone'] }, seen: { type: ['integer', 'null'] } } } },
      ip: { type: 'string', format: 'ip', description: 'Where from.' },
    },
  }
  expect(schemaRows(schema)).toEqual([
    { path: 'users[]', type: 'object', required: true, description: '' },
    { path: 'users[].state', type: 'active, gone', required: false, description: '' },
    { path: 'users[].seen', type: 'integer or null', required: false, description: '' },
    { path: 'ip', type: 'string (ip)', required: false, description: 'Where from.' },
  ])
})

test('a schema that is endless or no schema at all gives few rows', () => {
  const endless: Record<string, unknown> = { properties: {} }
  endless['properties'] = { a: endless, b: endless, c: endless }
  expect(schemaRows(endless).length).toBeLessThanOrEqual(300)
  for (const odd of [true, null, 7, [], { properties: 3 }]) expect(schemaRows(odd)).toEqual([])
})
