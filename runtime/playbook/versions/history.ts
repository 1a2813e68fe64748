import type { Activation, Artifact, Digest, Scope } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { Store } from '../../storage/index.ts'
import type { Difference } from '../checks/difference.ts'
import { ownerOf } from '../checks/looking.ts'
import type { PlaybookChecks } from '../checks/port.ts'
import { describePlace, type PlaybookKind, type PlaybookPlace } from './place.ts'

/**
 * The active and earlier versions of playbooks, with their texts. Reads in the caller's scope: what
 * lies outside does not exist for the caller.
 */
export class PlaybookHistory {
  readonly #store: Store
  readonly #checks: PlaybookChecks

  constructor(store: Store, checks: PlaybookChecks) {
    this.#store = store
    this.#checks = checks
  }

  /** Returns what is active, playbooks and sub-playbooks, sorted by key. */
  async list(scope: Scope): Promise<readonly Activation[]> {
    const kinds: readonly PlaybookKind[] = ['playbook', 'sub_playbook']
    return (await Promise.all(kinds.map((kind) => this.#store.artifacts.listActive(scope, kind)))).flat()
  }

  /** @throws TocsinError `playbook_unknown` if nothing is active */
  async active(scope: Scope, place: PlaybookPlace): Promise<{ readonly activation: Activation; readonly text: string }> {
    const activation = await this.#store.artifacts.active(scope, place)
    if (!activation || activation.withdrawn) throw new TocsinError('playbook_unknown', `No playbook is active for ${describePlace(place)}.`)
    return { activation, text: (await this.version(scope, activation.digest)).text }
  }

  /**
   * Returns every activation and withdrawal, newest first. @throws TocsinError `playbook_unknown`
   * if there never was one
   */
  async of(scope: Scope, place: PlaybookPlace): Promise<readonly Activation[]> {
    const history = await this.#store.artifacts.history(scope, place)
    if (history.length === 0) throw new TocsinError('playbook_unknown', `No playbook was ever active for ${describePlace(place)}.`)
    return history
  }

  /** Returns a text from the store. @throws TocsinError `playbook_version_unknown` */
  async version(scope: Scope, digest: Digest): Promise<Artifact> {
    const found = await this.#store.artifacts.get(scope, digest)
    if (!found || found.kind === 'plugin') throw new TocsinError('playbook_version_unknown', `The store has no playbook text ${digest}.`)
    return found
  }

  /**
   * Returns the difference between two versions. @throws TocsinError `playbook_version_unknown`;
   * the errors of `PlaybookChecks.run`
   */
  async diff(scope: Scope, from: Digest, to: Digest): Promise<Difference> {
    const [before, after] = await Promise.all([this.version(scope, from), this.version(scope, to)])
    const version = ({ name, text }: Artifact, digest: Digest) => ({ name, text, digest })
    const input = { from: version(before, from), to: version(after, to) }
    return this.#checks.run('difference', input, { owner: ownerOf(scope, before.organization), plugins: new Map() })
  }
}
