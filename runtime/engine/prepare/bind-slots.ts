import type { Connection, PinnedConnection } from '../../domain/index.ts'
import type { Slotted } from '../../playbook/index.ts'

/** The connections of a plan's slots, in one organization. */
export interface Binding {
  readonly connections: Readonly<Record<string, PinnedConnection>>
  /** Required slots without a connection, and why. */
  readonly missing: readonly { readonly slot: string; readonly why: string }[]
}

function pin({ id, revision, instance }: Connection): PinnedConnection {
  return { id, revision, instance }
}

/** The rule by which a connection was chosen for a slot. */
export type ChosenBy = 'slot' | 'default' | 'only'

/**
 * Chooses a connection for a slot. Among the organization's own connections of the integration: the one that
 * serves the slot, else the default, else the only one. If it has none of its own, the same among the shared
 * ones.
 * @param slot `<playbook>.<slot>`
 * @returns the connection and the rule, or why there is none
 */
export function chooseConnection(
  candidates: readonly Connection[],
  slot: string,
): { readonly connection: Connection; readonly by: ChosenBy } | string {
  const own = candidates.filter(({ organization }) => organization !== null)
  for (const group of own.length > 0 ? [own] : [candidates]) {
    const serving = group.filter(({ slots }) => slots.includes(slot))
    if (serving.length > 1) return `${serving.map(({ instance }) => instance).join(' and ')} both serve ${slot}`
    if (serving[0]) return { connection: serving[0], by: 'slot' }
    const preferred = group.find(({ isDefault }) => isDefault)
    if (preferred) return { connection: preferred, by: 'default' }
    if (group.length > 1) return `there are ${group.length} (${group.map(({ instance }) => instance).join(', ')}) and none is the default`
    if (group[0]) return { connection: group[0], by: 'only' }
  }
  return 'there is none'
}

/** Returns the name under which a run pins a sub-playbook's slot. */
export function pinnedSlot(playbook: string, slot: string): string {
  return `${playbook}/${slot}`
}

/**
 * Binds a plan's slots, and those of its sub-playbooks, to connections.
 * @param connections those that the organization may use
 */
export function bindSlots(plan: Slotted, connections: readonly Connection[]): Binding {
  const bound: Record<string, PinnedConnection> = {}
  const missing: { slot: string; why: string }[] = []
  const byIntegration = Map.groupBy(connections, ({ integration }) => integration)
  for (const { name, slots } of [plan, ...Object.values(plan.playbooks)]) {
    for (const [slot, { integration, optional }] of Object.entries(slots)) {
      const pinned = name === plan.name ? slot : pinnedSlot(name, slot)
      const chosen = chooseConnection(byIntegration.get(integration) ?? [], `${name}.${slot}`)
      if (typeof chosen !== 'string') bound[pinned] = pin(chosen.connection)
      else if (!optional) missing.push({ slot: pinned, why: `${pinned} needs a connection of ${integration}: ${chosen}` })
    }
  }
  return { connections: bound, missing }
}
