import { expect, test } from 'vitest'
import { Type } from '../../schema/index.ts'
import { compileBody } from './validation.ts'

const schema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 5 }),
  code: Type.String({ minLength: 2, maxLength: 9 }),
  tags: Type.Array(Type.String(), { minItems: 1, maxItems: 2, uniqueItems: true }),
  limit: Type.Integer({ minimum: 1, maximum: 9 }),
})
const check = compileBody(schema)
const sound = { name: 'n', code: 'co', tags: ['a'], limit: 1 }

test('what fits has no error', () => {
  expect(check(sound)).toBeNull()
})

test.each([
  [{ name: '' }, 'name must not be empty'],
  [{ name: 'longer' }, 'name may have 5 characters at most'],
  [{ code: 'c' }, 'code needs at least 2 characters'],
  [{ tags: [] }, 'tags must not be empty'],
  [{ tags: ['a', 'b', 'c'] }, 'tags may have 2 items at most'],
  [{ tags: ['a', 'a'] }, 'tags has the same item twice'],
  [{ limit: 0 }, 'limit must be at least 1'],
  [{ limit: 10 }, 'limit must be at most 9'],
])('%j: the error says in plain words that %s', (part, said) => {
  expect(check({ ...sound, ...part })?.places.map(({ field, message }) => `${field} ${message}`)).toEqual([said])
})
