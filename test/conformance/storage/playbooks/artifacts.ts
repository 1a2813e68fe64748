import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Activation, type Artifact, asId, type Digest, type OrganizationId, type PrincipalId } from '../../../../runtime/domain/index.ts'
import { everyone, newTenant, noon, numbersTo, uuid } from '../fixtures.ts'
import type { At } from '../harness.ts'

const digestOf = (text: string): Digest => asId(`sha256:${hash('sha256', text, 'hex')}`)

export function newArtifact(organization: OrganizationId | null, text = `text ${uuid()}`): Artifact {
  return { digest: digestOf(text), kind: 'playbook', name: 'phishing', text, organization, createdAt: noon }
}

export function activationOf({ digest, organization, kind }: Artifact, key: string, revision: number, parts: Partial<Activation> = {}): Activation {
  return {
    kind,
    organization,
    key,
    digest,
    name: 'phishing',
    source: 'folder',
    folderDigest: digest,
    revision,
    activatedAt: noon + revision,
    activatedBy: null,
    withdrawn: false,
    ...parts,
  }
}

export function artifactCases(at: At): void {
  test('an artifact is found by its digest; storing it again changes nothing', async () => {
    const { store } = at()
    const artifact = newArtifact(newTenant().id)
    await store.artifacts.put(everyone, [artifact, newArtifact(null)])
    await store.artifacts.put(everyone, [{ ...artifact, name: 'another', createdAt: noon + 9 }, newArtifact(null)])
    expect(await store.artifacts.get(everyone, artifact.digest)).toEqual(artifact)
    expect(await store.artifacts.get(everyone, digestOf('nothing'))).toBeNull()
    await at().reopen()
    expect(await at().store.artifacts.get(everyone, artifact.digest)).toEqual(artifact)
  })

  describe('activation', () => {
    test('a place has the artifact that was activated last, and remembers the others', async () => {
      const { store } = at()
      const artifact = newArtifact(newTenant().id)
      const key = uuid()
      const place = { kind: artifact.kind, organization: artifact.organization, key }
      expect(await store.artifacts.active(everyone, place)).toBeNull()
      expect(await store.artifacts.history(everyone, place)).toEqual([])
      const all = numbersTo(11).map((revision) => activationOf(artifact, key, revision, { folderDigest: revision === 2 ? null : artifact.digest }))
      for (const next of all) expect(await store.artifacts.activate(everyone, next)).toEqual({ activated: true, standing: next })
      expect(await store.artifacts.active(everyone, place)).toEqual(all[10])
      expect(await store.artifacts.history(everyone, place)).toEqual([...all].reverse())
    })

    test('with a revision that is not the next does nothing and returns the stored activation', async () => {
      const { store } = at()
      const artifact = newArtifact(null)
      const key = uuid()
      const first = activationOf(artifact, key, 1)
      await store.artifacts.activate(everyone, first)
      for (const revision of [1, 3]) {
        const next = activationOf(artifact, key, revision, { source: 'edited' })
        expect(await store.artifacts.activate(everyone, next)).toEqual({ activated: false, standing: first })
      }
      expect(await store.artifacts.history(everyone, { kind: 'playbook', organization: null, key })).toEqual([first])
    })

    test('only one of several concurrent activations succeeds, and all callers get it', async () => {
      const { store } = at()
      const other = (await at().second()) ?? store
      const artifact = newArtifact(newTenant().id)
      const key = uuid()
      const results = await Promise.all(
        numbersTo(6).map((n) => (n % 2 ? store : other).artifacts.activate(everyone, activationOf(artifact, key, 1, { name: `by ${n}` }))),
      )
      expect(results.filter(({ activated }) => activated)).toHaveLength(1)
      expect(new Set(results.map(({ standing }) => standing.name))).toEqual(new Set([`by ${results.findIndex(({ activated }) => activated) + 1}`]))
    })

    test('a withdrawal is remembered and not listed until something is activated again; who did it is stored', async () => {
      const { store } = at()
      const artifact = newArtifact(newTenant().id)
      const key = uuid()
      const place = { kind: artifact.kind, organization: artifact.organization, key }
      const listed = async () => (await at().store.artifacts.listActive(everyone, 'playbook')).filter((activation) => activation.key === key)
      const somebody = asId<PrincipalId>(uuid())
      const first = activationOf(artifact, key, 1, { activatedBy: somebody })
      const withdrawal = activationOf(artifact, key, 2, { source: 'edited', withdrawn: true, activatedBy: somebody })
      await store.artifacts.activate(everyone, first)
      expect(await listed()).toEqual([first])
      expect(await store.artifacts.activate(everyone, withdrawal)).toEqual({ activated: true, standing: withdrawal })
      expect(await listed()).toEqual([])
      await at().reopen()
      expect(await at().store.artifacts.active(everyone, place)).toEqual(withdrawal)
      const again = activationOf(artifact, key, 3)
      await at().store.artifacts.activate(everyone, again)
      expect(await listed()).toEqual([again])
      expect(await at().store.artifacts.history(everyone, place)).toEqual([again, withdrawal, first])
    })

    test('each organization, the shared ones, each kind and each key are separate places', async () => {
      const { store } = at()
      const tenant = newTenant()
      const key = uuid()
      const own = activationOf(newArtifact(tenant.id), key, 1)
      const shared = activationOf(newArtifact(null), key, 1)
      const plugin = activationOf({ ...newArtifact(null), kind: 'plugin' }, key, 1)
      const part = activationOf({ ...newArtifact(null), kind: 'sub_playbook' }, key, 1)
      const longer = activationOf(newArtifact(null), `${key}.x`, 1)
      for (const next of [own, shared, plugin, part, longer]) expect((await store.artifacts.activate(everyone, next)).activated).toBe(true)
      for (const next of [own, shared, plugin, part, longer]) expect(await store.artifacts.active(everyone, next)).toEqual(next)
      const second = activationOf(newArtifact(null), key, 2)
      await store.artifacts.activate(everyone, second)
      const listed = (await store.artifacts.listActive(everyone, 'playbook')).filter((activation) => activation.key.startsWith(key))
      expect(listed).toHaveLength(3)
      expect(listed).toEqual(expect.arrayContaining([own, second, longer]))
      expect((await store.artifacts.listActive(everyone, 'plugin')).filter((activation) => activation.key === key)).toEqual([plugin])
    })
  })
}
