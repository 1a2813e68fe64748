import { type Activation, type OrganizationId, systemScope } from '../../domain/index.ts'
import type { Store } from '../../storage/index.ts'
import type { PlaybookSource } from '../compile/with-playbooks.ts'
import type { PlaybookPlace } from './place.ts'

/** A playbook that is active in a place, or would be. */
export interface ActiveText extends PlaybookSource {
  readonly place: PlaybookPlace
}

/**
 * Everything that is active, as it stands or as it would be after a change. What an organization has of its own goes before what is shared, in types and in
 * sub-playbooks. Generated playbooks are left out: they run no others.
 */
export class ActivePlaybooks {
  readonly #texts: ReadonlyMap<string, ActiveText>

  private constructor(texts: ReadonlyMap<string, ActiveText>) {
    this.#texts = texts
  }

  static async load({ artifacts }: Store): Promise<ActivePlaybooks> {
    const active = (await Promise.all((['playbook', 'sub_playbook'] as const).map((kind) => artifacts.listActive(systemScope, kind)))).flat()
    const made = active.filter(({ source }) => source !== 'generated')
    const texts = await Promise.all(
      made.map(async ({ kind, organization, key, digest, name }: Activation) => {
        const artifact = await artifacts.get(systemScope, digest)
        const place: PlaybookPlace = { kind: kind === 'sub_playbook' ? kind : 'playbook', organization, key }
        return artifact ? [{ place, file: name, text: artifact.text }] : []
      }),
    )
    return new ActivePlaybooks(new Map(texts.flat().map((text) => [placeKey(text.place), text])))
  }

  /** After a change. @param changes what is active then; a text of null: nothing */
  with(changes: readonly (Omit<ActiveText, 'text'> & { readonly text: string | null })[]): ActivePlaybooks {
    const texts = new Map(this.#texts)
    for (const { place, file, text } of changes) {
      if (text === null) texts.delete(placeKey(place))
      else texts.set(placeKey(place), { place, file, text })
    }
    return new ActivePlaybooks(texts)
  }

  at(place: PlaybookPlace): ActiveText | null {
    return this.#texts.get(placeKey(place)) ?? null
  }

  /** Null, which stands for every organization that has nothing of its own, and each that has. */
  organizations(): readonly (OrganizationId | null)[] {
    return [...new Set([null, ...[...this.#texts.values()].map(({ place }) => place.organization)])]
  }

  /** What the alerts of an organization are investigated with; by alert type. */
  playbooks(organization: OrganizationId | null): readonly ActiveText[] {
    return [...this.#seen(organization, 'playbook').values()]
  }

  /** The sub-playbooks that an organization's playbooks may run, by name. */
  subPlaybooks(organization: OrganizationId | null): ReadonlyMap<string, PlaybookSource> {
    return this.#seen(organization, 'sub_playbook')
  }

  #seen(organization: OrganizationId | null, kind: PlaybookPlace['kind']): ReadonlyMap<string, ActiveText> {
    const ofKind = [...this.#texts.values()].filter(({ place }) => place.kind === kind)
    const of = (owner: OrganizationId | null): (readonly [string, ActiveText])[] =>
      ofKind.filter(({ place }) => place.organization === owner).map((text) => [text.place.key, text])
    return new Map([...of(null), ...(organization === null ? [] : of(organization))])
  }
}

export function placeKey({ kind, organization, key }: PlaybookPlace): string {
  return JSON.stringify([kind, organization, key])
}
