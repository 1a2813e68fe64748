import { type Activation, type Digest, type OrganizationId, type Scope, systemScope } from '../../domain/index.ts'
import type { Store } from '../../storage/index.ts'
import type { Outlines } from '../checks/outlines.ts'
import type { Work } from '../checks/port.ts'
import type { Outline } from '../checks/tasks.ts'
import type { SlotUse } from '../compile/index.ts'

/** A playbook that is active in an organization, with its own slots. */
export interface ActivePlaybookSlots {
  readonly name: string
  readonly kind: 'playbook' | 'sub_playbook'
  /** Its alert types, or the name of a sub-playbook. */
  readonly keys: readonly string[]
  readonly slots: readonly SlotUse[]
}

/** The slots of the playbooks that are active for organizations. Includes generated playbooks. */
export class ActiveSlots {
  readonly #activations: readonly Activation[]
  readonly #outlines: ReadonlyMap<Digest, Outline | null>

  private constructor(activations: readonly Activation[], outlines: ReadonlyMap<Digest, Outline | null>) {
    this.#activations = activations
    this.#outlines = outlines
  }

  /** @param scope the organizations, and no others @throws the errors of `Outlines.ofAll` */
  static async load(store: Pick<Store, 'artifacts'>, outlines: Outlines, scope: Scope, work: Work): Promise<ActiveSlots> {
    const kinds = ['playbook', 'sub_playbook'] as const
    const activations = (await Promise.all(kinds.map((kind) => store.artifacts.listActive(scope, kind)))).flat()
    const texts = activations.map(({ digest }) => ({
      digest,
      text: async () => (await store.artifacts.get(systemScope, digest))?.text ?? null,
    }))
    return new ActiveSlots(activations, await outlines.ofAll(texts, work))
  }

  /** Returns the playbooks that runs of an organization would use. */
  of(organization: OrganizationId): readonly ActivePlaybookSlots[] {
    const chosen = new Map<string, Activation>()
    for (const each of this.#activations.filter((one) => one.organization === null || one.organization === organization)) {
      const place = `${each.kind} ${each.key}`
      const other = chosen.get(place)
      if (other === undefined || rank(each) > rank(other)) chosen.set(place, each)
    }
    const byText = Map.groupBy(chosen.values(), ({ kind, digest }) => `${kind} ${digest}`)
    return [...byText.values()].flatMap((places) => {
      const [first] = places
      const outline = first && this.#outlines.get(first.digest)
      if (!first || !outline) return []
      const kind = first.kind === 'sub_playbook' ? first.kind : 'playbook'
      return [{ name: first.name, kind, keys: places.map(({ key }) => key), slots: outline.slots }]
    })
  }
}

/** The precedence of playbooks in one place: an organization's own, then the shared one, then a generated one. */
function rank({ organization, source }: Activation): number {
  if (source === 'generated') return 0
  return organization === null ? 1 : 2
}
