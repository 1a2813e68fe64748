import { expect, test } from 'vitest'
import { lazySerializers } from './serializers.ts'

const route = { method: 'GET', url: '/things', httpStatus: '200' }

test('an answer has exactly the fields of its schema, also the second time', () => {
  const serialize = lazySerializers()({ ...route, schema: { type: 'object', properties: { name: { type: 'string' } } } })
  expect(serialize({ name: 'ACME', secret: 'x' })).toBe('{"name":"ACME"}')
  expect(serialize({ name: 'Globex' })).toBe('{"name":"Globex"}')
})

test('a schema is compiled at its first answer, not before', () => {
  const serialize = lazySerializers()({ ...route, schema: { type: 'nonsense' } })
  expect(() => serialize({})).toThrow(/schema is invalid/)
})
