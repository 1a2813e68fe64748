import { expect, test } from 'vitest'
import { asId, type OrganizationId } from '../../domain/index.ts'
import { ownerOf } from './owner.ts'

const [one, two, three] = ['1', '2', '3'].map((id) => asId<OrganizationId>(id)) as [OrganizationId, OrganizationId, OrganizationId]

test('a key counts for its organization; a key of all organizations counts for itself', () => {
  expect(ownerOf({ organizations: [two] })).toBe('2')
  expect(ownerOf({ organizations: 'all' })).toBe('all')
  expect(ownerOf({ organizations: [] })).toBe('none')
})

test('keys of several organizations add no owners', () => {
  const keys = [[three, one, two], [two, one], [three, two], [three]]
  expect(new Set(keys.map((organizations) => ownerOf({ organizations })))).toEqual(new Set(['1', '2', '3']))
})
