import { expect } from 'vitest'
import { noon } from '../fixtures.ts'
import type { ScopeCases } from './world.ts'

const part = { from: 0, to: noon + 1_000_000, after: null, examine: 1_000 }

export const statistics: ScopeCases<'statistics'> = {
  async alerts({ store, stranger, owner }) {
    for (const chosen of [{}, { organizations: [owner.id] }])
      expect(await store.statistics.alerts(stranger.scope, { ...part, ...chosen })).toEqual({ hours: [], verdicts: [], next: null })
    expect((await store.statistics.alerts(owner.scope, part)).hours.length).toBeGreaterThan(0)
  },
  async runs({ store, stranger, owner }) {
    for (const chosen of [{}, { organizations: [owner.id] }])
      expect(await store.statistics.runs(stranger.scope, { ...part, ...chosen })).toEqual({ states: [], durations: [], next: null })
    expect((await store.statistics.runs(owner.scope, part)).states.length).toBeGreaterThan(0)
  },
}
