import { expect, test } from 'vitest'
import { latestOf, releaseOf } from './release.ts'

test('the newest version by number, not by position or spelling', () => {
  expect(latestOf([{ version: '100.0' }, { version: '99.0' }, { version: '9.0' }])).toEqual({ version: '100.0' })
  expect(latestOf([{ version: 'beta' }])).toBeNull()
  expect(latestOf([])).toBeNull()
})

// Release numbers from public pages.
test.each([
  ['53.0', "Winter '22", 234],
  ['54.0', "Spring '22", 236],
  ['55.0', "Summer '22", 238],
  ['58.0', "Summer '23", 244],
  ['65.0', "Winter '26", 258],
  ['67.0', "Summer '26", 262],
  ['68.0', "Winter '27", 264],
])('%s is %s, number %i', (version, label, release) => {
  const [season, year] = label.split(" '")
  const expected = { version, label, season, year: 2000 + Number(year), release }
  expect(releaseOf({ version, label })).toMatchObject(expected)
  // Without a label, only the rule applies.
  expect(releaseOf({ version })).toMatchObject(expected)
  expect(releaseOf({ version }).url).toBe(
    `https://help.salesforce.com/s/articleView?id=release-notes.salesforce_release_notes.htm&release=${release}&type=5`,
  )
})

test("the vendor's label counts", () => {
  expect(releaseOf({ version: '67.0', label: 'Summer ’26' })).toMatchObject({ label: 'Summer ’26', season: 'Summer', year: 2026 })
  expect(releaseOf({ version: '67.0', label: 'Preview' })).toMatchObject({ label: 'Preview', season: 'Summer', year: 2026 })
})
