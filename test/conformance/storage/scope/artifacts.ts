import { expect } from 'vitest'
import { everyone, type Tenant, uuid } from '../fixtures.ts'
import { activationOf, newArtifact } from '../playbooks/artifacts.ts'
import { attempt, type ScopeCases } from './world.ts'

export const artifacts: ScopeCases<'artifacts'> = {
  async put({ store, stranger, owner }) {
    for (const artifact of [newArtifact(owner.id), newArtifact(null)]) {
      await attempt(store.artifacts.put(stranger.scope, [newArtifact(stranger.id), artifact]))
      expect(await store.artifacts.get(everyone, artifact.digest)).toBeNull()
    }
  },
  async get({ store, stranger, owner }) {
    const [own, shared] = [newArtifact(owner.id), newArtifact(null)]
    await store.artifacts.put(everyone, [own, shared])
    expect(await store.artifacts.get(stranger.scope, own.digest)).toBeNull()
    expect(await store.artifacts.get(stranger.scope, shared.digest)).toEqual(shared)
    const same = { ...own, organization: stranger.id }
    await store.artifacts.put(stranger.scope, [same])
    expect(await store.artifacts.get(stranger.scope, own.digest)).toEqual(same)
    expect(await store.artifacts.get(owner.scope, own.digest)).toEqual(own)
  },
  async active({ store, stranger, owner, playbookKey }) {
    const place = { kind: 'playbook', organization: owner.id, key: playbookKey } as const
    expect(await store.artifacts.active(stranger.scope, place)).toBeNull()
    expect(await store.artifacts.active(owner.scope, place)).toMatchObject({ key: playbookKey })
  },
  async listActive({ store, stranger, owner, playbookKey }) {
    const shared = activationOf(newArtifact(null), uuid(), 1)
    await store.artifacts.activate(everyone, shared)
    const keys = async ({ scope }: Tenant) => (await store.artifacts.listActive(scope, 'playbook')).map(({ key }) => key)
    expect(await keys(stranger)).toContain(shared.key)
    expect(await keys(stranger)).not.toContain(playbookKey)
    expect(await keys(owner)).toContain(playbookKey)
  },
  async activate({ store, stranger, owner, playbookKey }) {
    await attempt(store.artifacts.activate(stranger.scope, activationOf(newArtifact(owner.id), playbookKey, 2)))
    const place = { kind: 'playbook', organization: owner.id, key: playbookKey } as const
    expect((await store.artifacts.active(everyone, place))?.revision).toBe(1)
    const key = uuid()
    await attempt(store.artifacts.activate(stranger.scope, activationOf(newArtifact(null), key, 1)))
    expect(await store.artifacts.active(everyone, { kind: 'playbook', organization: null, key })).toBeNull()
  },
  async history({ store, stranger, owner, playbookKey }) {
    const place = { kind: 'playbook', organization: owner.id, key: playbookKey } as const
    expect(await store.artifacts.history(stranger.scope, place)).toEqual([])
    expect(await store.artifacts.history(owner.scope, place)).toHaveLength(1)
  },
}
