import { expect } from 'vitest'
import { uuid } from '../fixtures.ts'
import type { ScopeCases } from './world.ts'

/** Facts about the installation, the same for every scope. */
export const settings: ScopeCases<'settings'> = {
  async settle({ store, stranger, owner }) {
    const name = uuid()
    expect(await store.settings.settle(owner.scope, name, 'first')).toBe('first')
    expect(await store.settings.settle(stranger.scope, name, 'second')).toBe('first')
  },
  async replace({ store, stranger, owner }) {
    const name = uuid()
    await store.settings.settle(owner.scope, name, 'first')
    expect(await store.settings.replace(stranger.scope, name, 'first', 'second')).toBe(true)
    expect(await store.settings.replace(owner.scope, name, 'first', 'third')).toBe(false)
    expect(await store.settings.replace(owner.scope, uuid(), 'first', 'third')).toBe(false)
    expect(await store.settings.settle(owner.scope, name, 'fourth')).toBe('second')
  },
}
