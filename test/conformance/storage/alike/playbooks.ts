import type { Artifact } from '../../../../runtime/domain/index.ts'
import { activationOf, newArtifact } from '../playbooks/artifacts.ts'
import type { Stage } from './stage.ts'

const keys = ['phishing', 'Phishing', 'a.b']

/** Random acts on versions of playbooks, and questions about them. */
export class PlaybookActs {
  readonly #stage: Stage
  #known: readonly Artifact[] = []

  constructor(stage: Stage) {
    this.#stage = stage
  }

  async act(): Promise<void> {
    if (this.#known.length === 0 || this.#stage.seldom()) return this.#put()
    await this.#activate()
  }

  async #put(): Promise<void> {
    const { dice, both } = this.#stage
    const all = [newArtifact(this.#stage.owner(), `text ${dice.roll(9)}`), newArtifact(this.#stage.owner())]
    const scope = this.#stage.scope()
    const put = await both.alikeOrRefused({ put: all, scope }, async ({ artifacts }) => {
      await artifacts.put(scope, all)
      return true
    })
    if (put) this.#known = [...this.#known, ...all]
  }

  async #activate(): Promise<void> {
    const { dice, both } = this.#stage
    const scope = this.#stage.scope()
    const artifact = dice.one(this.#known)
    const place = { kind: 'playbook', organization: artifact.organization, key: dice.one(keys) } as const
    const standing = await both.alike({ active: place, scope }, ({ artifacts }) => artifacts.active(scope, place))
    const next = activationOf(artifact, place.key, this.#stage.next(standing?.revision ?? 0), {
      withdrawn: this.#stage.seldom(),
      source: dice.one(['folder', 'edited']),
    })
    await both.alikeOrRefused({ activate: next, scope }, ({ artifacts }) => artifacts.activate(scope, next))
    await both.alike({ history: place, scope }, ({ artifacts }) => artifacts.history(scope, place))
    await both.alike({ listActive: scope }, ({ artifacts }) => artifacts.listActive(scope, 'playbook'))
    await both.alike({ artifact: artifact.digest, scope }, ({ artifacts }) => artifacts.get(scope, artifact.digest))
  }
}
