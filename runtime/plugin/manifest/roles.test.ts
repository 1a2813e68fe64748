import { expect, test } from 'vitest'
import type { ManifestDocument } from '../grammar/index.ts'
import { roleIncludes, rolesOf } from './roles.ts'

const manifest = {
  roles: [
    ['reader', 'operator', 'owner'],
    ['reader', 'auditor'],
  ],
} as unknown as ManifestDocument

test.each([
  ['reader', 'reader', true],
  ['owner', 'reader', true],
  ['reader', 'operator', false],
  ['auditor', 'reader', true],
  ['auditor', 'operator', false],
  ['nobody', 'reader', false],
])('%s includes %s: %s', (role, minimum, expected) => {
  expect(roleIncludes(manifest, role, minimum)).toBe(expected)
})

test('every role is listed once', () => {
  expect(rolesOf(manifest)).toEqual(['reader', 'operator', 'owner', 'auditor'])
  expect(rolesOf({} as ManifestDocument)).toEqual([])
})
