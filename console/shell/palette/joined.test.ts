import { expect, test } from 'vitest'
import type { Found } from './found.ts'
import { joined } from './joined.ts'

const person = (name: string): Found => ({ id: `person ${name}`, name, about: 'their cases', to: '/cases' })

test('groups of one name are joined, and nobody is in them twice', () => {
  const [ada, grace] = [person('Ada'), person('Grace')]
  expect(
    joined(
      [
        { group: 'Cases', found: [], exact: true },
        { group: 'People', found: [ada] },
        { group: 'People', found: [person('Ada'), grace, person('Kurt')] },
      ],
      2,
    ),
  ).toEqual([
    { group: 'Cases', found: [], exact: true },
    { group: 'People', found: [ada, grace], exact: false },
  ])
})
