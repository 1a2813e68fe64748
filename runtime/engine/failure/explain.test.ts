import { expect, test } from 'vitest'
import { TocsinError } from '../../errors/index.ts'
import { explain } from './explain.ts'

const places = [
  { field: 'steps.0.skill', message: 'there is no skill `a.b`' },
  { field: 'steps.1.skill', message: 'there is no skill `c.d`' },
]

test('places that the message does not name follow it, and none is named twice', () => {
  const all = new TocsinError('inputs_missing', 'steps.0.skill there is no skill `a.b`; steps.1.skill there is no skill `c.d`', places)
  expect(explain(all)).toBe(all.message)
  const first = new TocsinError('playbook_invalid', 'a.yaml:1:2: steps.0.skill: there is no skill `a.b` (and 1 more)', places)
  expect(explain(first)).toBe(`${first.message}; steps.1.skill: there is no skill \`c.d\``)
})
