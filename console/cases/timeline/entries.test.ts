import { expect, test } from 'vitest'
import type { TimelineEntryView } from '../../../runtime/api/index.ts'
import { following } from './entries.ts'

const all = new Map([...'abcdxyz'].map((id) => [id, { id } as TimelineEntryView]))
const entries = (...ids: string[]): TimelineEntryView[] => ids.flatMap((id) => all.get(id) ?? [])
const seen = { latest: entries('a', 'b', 'c'), earlier: 'before a' }

test('a new entry comes after those that were seen, and takes none of them away', () => {
  const read = { latest: entries('b', 'c', 'd'), earlier: 'before b' }
  expect(following(seen, read)).toEqual({ latest: entries('a', 'b', 'c', 'd'), earlier: 'before a' })
})

test('nothing new changes nothing', () => {
  expect(following(seen, { latest: entries('a', 'b', 'c'), earlier: 'before a' })).toBe(seen)
  const longer = following(seen, { latest: entries('b', 'c', 'd'), earlier: 'before b' })
  expect(following(longer, { latest: entries('b', 'c', 'd'), earlier: 'before b' })).toBe(longer)
  const empty = { latest: [], earlier: null }
  expect(following(empty, { latest: [], earlier: null })).toBe(empty)
})

test('if entries are missing between, only what was read counts', () => {
  const read = { latest: entries('x', 'y', 'z'), earlier: 'before x' }
  expect(following(seen, read)).toBe(read)
})

test('an entry that changed is shown as it is now', () => {
  const now = { id: 'c', text: 'changed' } as TimelineEntryView
  expect(following(seen, { latest: [...entries('b'), now], earlier: 'before b' })).toEqual({
    latest: [...entries('a', 'b'), now],
    earlier: 'before a',
  })
})
