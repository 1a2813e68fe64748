import type { Connection, PinnedConnection } from '../domain/index.ts'
import type { Plan } from '../playbook/index.ts'

/** What a plan's slots stand for in one organization. */
export interface Binding {
  readonly connections: Readonly<Record<string, PinnedConnection>>
  /** Required slots that nothing serves, and why. */
  readonly missing: readonly { readonly slot: string; readonly why: string }[]
}

function pin({ id, revision, instance }: Connection): PinnedConnection {
  return { id, revision, instance }
}

/** The organization's default for an integration; else its only one; else the one shared (or the default of several shared). */
function choose(candidates: readonly Connection[]): Connection | string {
  const own = candidates.filter(({ organization }) => organization !== null)
  for (const group of own.length > 0 ? [own] : [candidates]) {
    const preferred = group.find(({ isDefault }) => isDefault)
    if (preferred) return preferred
    if (group.length > 1) return `there are ${group.length} (${group.map(({ instance }) => instance).join(', ')}) and none is the default`
    if (group[0]) return group[0]
  }
  return 'there is none'
}

/** Binds a plan's slots to connections (design, Connections). @param connections those that the organization may use */
export function bindSlots(plan: Plan, connections: readonly Connection[]): Binding {
  const bound: Record<string, PinnedConnection> = {}
  const missing: { slot: string; why: string }[] = []
  for (const [slot, { integration, optional }] of Object.entries(plan.slots)) {
    const chosen = choose(connections.filter((connection) => connection.integration === integration))
    if (typeof chosen !== 'string') bound[slot] = pin(chosen)
    else if (!optional) missing.push({ slot, why: `${slot} needs a connection of ${integration}: ${chosen}` })
  }
  return { connections: bound, missing }
}
