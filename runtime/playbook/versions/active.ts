import { type Activation, type Digest, type OrganizationId, type Scope, systemScope } from '../../domain/index.ts'
import type { Store } from '../../storage/index.ts'
import { digestOf } from '../../yaml/index.ts'
import type { KnownText } from '../checks/outlines.ts'
import type { PlaybookKind, PlaybookPlace } from './place.ts'

/** A playbook that is active in a place, or would be after a change. */
export interface ActiveText {
  readonly place: PlaybookPlace
  /** Its name in messages. */
  readonly file: string
  readonly digest: Digest
}

/** A change of one place. A null text leaves the place empty. */
export interface TextChange {
  readonly place: PlaybookPlace
  readonly file: string
  readonly text: string | null
}

/**
 * All active playbooks, now or after a proposed change. An organization's own playbook takes
 * precedence over a shared one for the same alert type or name. Generated playbooks are left out,
 * because they run no other playbooks. Texts are read only when needed.
 */
export class ActivePlaybooks {
  readonly #store: Pick<Store, 'artifacts'>
  readonly #entries: ReadonlyMap<string, ActiveText>
  /** Proposed texts, which the store may not have yet. */
  readonly #texts: ReadonlyMap<Digest, string>
  readonly #seen = new Map<string, ReadonlyMap<string, ActiveText>>()
  #byOwner: ReadonlyMap<OrganizationId | null, readonly ActiveText[]> | null = null

  private constructor(store: Pick<Store, 'artifacts'>, entries: ReadonlyMap<string, ActiveText>, texts: ReadonlyMap<Digest, string>) {
    this.#store = store
    this.#entries = entries
    this.#texts = texts
  }

  /** @param scope loads the shared playbooks and those of the organizations in the scope */
  static async load(
    store: Pick<Store, 'artifacts'>,
    scope: Scope,
    kinds: readonly PlaybookKind[] = ['playbook', 'sub_playbook'],
  ): Promise<ActivePlaybooks> {
    const active = (await Promise.all(kinds.map((kind) => store.artifacts.listActive(scope, kind)))).flat()
    const entries = active.flatMap(({ kind, organization, key, digest, name, source }: Activation): ActiveText[] => {
      const place: PlaybookPlace = { kind: kind === 'sub_playbook' ? kind : 'playbook', organization, key }
      return source === 'generated' ? [] : [{ place, file: name, digest }]
    })
    return new ActivePlaybooks(store, new Map(entries.map((entry) => [placeKey(entry.place), entry])), new Map())
  }

  /** The active playbooks after these changes. */
  with(changes: readonly TextChange[]): ActivePlaybooks {
    const entries = new Map(this.#entries)
    const texts = new Map(this.#texts)
    for (const { place, file, text } of changes) {
      if (text === null) entries.delete(placeKey(place))
      else {
        const digest = digestOf(text)
        entries.set(placeKey(place), { place, file, digest })
        texts.set(digest, text)
      }
    }
    return new ActivePlaybooks(this.#store, entries, texts)
  }

  at(place: PlaybookPlace): ActiveText | null {
    return this.#entries.get(placeKey(place)) ?? null
  }

  /** Returns null if the store no longer has the text. */
  async textOf(digest: Digest): Promise<string | null> {
    return this.#texts.get(digest) ?? (await this.#store.artifacts.get(systemScope, digest))?.text ?? null
  }

  known({ digest }: ActiveText): KnownText {
    return { digest, text: () => this.textOf(digest) }
  }

  /** Returns every organization that has playbooks of its own, and null for all others. */
  organizations(): readonly (OrganizationId | null)[] {
    return [...new Set([null, ...this.#owners().keys()])]
  }

  /** Returns in how many places an organization's own playbooks are active. Null: counts shared ones. */
  countOf(organization: OrganizationId | null): number {
    return this.#owners().get(organization)?.length ?? 0
  }

  /** Returns the playbooks for an organization's alerts. */
  playbooks(organization: OrganizationId | null): readonly ActiveText[] {
    return [...this.#of(organization, 'playbook').values()]
  }

  /** Returns the sub-playbooks that an organization's playbooks may run, by name. */
  subPlaybooks(organization: OrganizationId | null): ReadonlyMap<string, ActiveText> {
    return this.#of(organization, 'sub_playbook')
  }

  #of(organization: OrganizationId | null, kind: PlaybookPlace['kind']): ReadonlyMap<string, ActiveText> {
    const known = this.#seen.get(`${kind} ${organization}`)
    if (known) return known
    const of = (owner: OrganizationId | null): readonly (readonly [string, ActiveText])[] =>
      (this.#owners().get(owner) ?? []).flatMap((entry) => (entry.place.kind === kind ? [[entry.place.key, entry] as const] : []))
    const seen = new Map([...of(null), ...(organization === null ? [] : of(organization))])
    this.#seen.set(`${kind} ${organization}`, seen)
    return seen
  }

  #owners(): ReadonlyMap<OrganizationId | null, readonly ActiveText[]> {
    this.#byOwner ??= Map.groupBy(this.#entries.values(), ({ place }) => place.organization)
    return this.#byOwner
  }
}

export function placeKey({ kind, organization, key }: PlaybookPlace): string {
  return JSON.stringify([kind, organization, key])
}
