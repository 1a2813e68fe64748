import { expect, test } from 'vitest'
import { withRole } from './test-finding.ts'

const good = { ok: true, code: null, cause: null, remedy: null }

test('a successful test says why the role is unknown, unless it has another warning', () => {
  expect(withRole(good, { role: 'reader', why: null })).toEqual(good)
  expect(withRole(good, { role: null, why: null })).toEqual(good)
  expect(withRole(good, { role: null, why: 'The answer has no role at `role`.' })).toEqual({
    ok: true,
    code: 'role_not_known',
    cause: expect.stringContaining('The answer has no role at `role`.'),
    remedy: expect.any(String),
  })
  const warned = { ok: true, code: 'nothing_visible', cause: 'x', remedy: 'y' }
  expect(withRole(warned, { role: null, why: 'z' })).toEqual(warned)
})
