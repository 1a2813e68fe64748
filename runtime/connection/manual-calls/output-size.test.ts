import { expect, test } from 'vitest'
import { heldToSize } from './output-size.ts'

const large = { id: 'a', rest: 'x'.repeat(6_000_000) }
const contractualOutput = () => ({ id: 'a' })

test('a manual read has the size limit of an output', () => {
  const skill = { impact: 'read', contractualOutput } as const
  expect(heldToSize(skill, { ok: true, output: { id: 'a' } })).toEqual({ ok: true, output: { id: 'a' } })
  expect(heldToSize(skill, { ok: true, output: large })).toMatchObject({ ok: false, effect: 'done', failure: { code: 'output_too_large' } })
})

test('a write with too large an output still succeeded: the fields that its skill requires are kept', () => {
  const warnings = [expect.stringContaining('more than 5242880 characters')]
  expect(heldToSize({ impact: 'write', contractualOutput }, { ok: true, output: large })).toEqual({ ok: true, output: { id: 'a' }, warnings })
  expect(heldToSize({ impact: 'write', contractualOutput: () => large }, { ok: true, output: large })).toEqual({ ok: true, output: {}, warnings })
})
