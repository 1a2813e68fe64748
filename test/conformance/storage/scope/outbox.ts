import { expect } from 'vitest'
import { nameOf } from '../../../../runtime/domain/index.ts'
import { ended, everyone, newWebhook } from '../fixtures.ts'
import { attempt, type ScopeCases, type World } from './world.ts'

async function failedRun({ store, owner }: World): Promise<void> {
  await store.webhooks.create(everyone, newWebhook(owner.id))
  await ended(store, owner, 'failed')
}

export const outbox: ScopeCases<'outbox'> = {
  async pending(world) {
    await failedRun(world)
    const { store, stranger, owner } = world
    expect(await store.outbox.pending(stranger.scope, 9)).toEqual([])
    expect((await store.outbox.pending(owner.scope, 9)).map(({ type }) => type).sort()).toEqual(['case.opened', 'run.failed'])
  },
  async clear(world) {
    await failedRun(world)
    const { store, stranger, owner } = world
    const facts = await store.outbox.pending(owner.scope, 9)
    await attempt(store.outbox.clear(stranger.scope, facts.map(nameOf)))
    expect(await store.outbox.pending(owner.scope, 9)).toEqual(facts)
  },
}
