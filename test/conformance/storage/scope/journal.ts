import { expect } from 'vitest'
import { entryAt, everyone } from '../fixtures.ts'
import { attempt, type ScopeCases } from './world.ts'

export const journal: ScopeCases<'journal'> = {
  async append({ store, stranger, owner, claimed }) {
    const { run, position } = claimed
    expect(await attempt(store.journal.append(stranger.scope, run.id, entryAt(position, 1)))).not.toBe('appended')
    expect(await store.journal.read(everyone, run.id)).toHaveLength(1)
    expect(await store.journal.append(owner.scope, run.id, entryAt(position, 1))).toBe('appended')
  },
  async read({ store, stranger, owner, claimed }) {
    expect(await store.journal.read(stranger.scope, claimed.run.id)).toEqual([])
    expect(await store.journal.read(owner.scope, claimed.run.id)).toHaveLength(1)
  },
  async putOutput({ store, stranger, claimed }) {
    await attempt(store.journal.putOutput(stranger.scope, claimed.run.id, 'b', '2'))
    expect(await store.journal.getOutput(everyone, claimed.run.id, 'b')).toBeNull()
  },
  async getOutput({ store, stranger, owner, claimed }) {
    expect(await store.journal.getOutput(stranger.scope, claimed.run.id, 'a')).toBeNull()
    expect(await store.journal.getOutput(owner.scope, claimed.run.id, 'a')).toBe('1')
  },
}
