import { pinnedSlot } from '../engine/index.ts'
import { everyStep, type Plan, type PlanSlot, type PlanStep, type Slotted } from '../playbook/index.ts'

/** Returns every step of a plan, in the order of the file. Does not enter sub-playbooks. */
export function ownSteps({ steps }: Pick<Plan, 'steps'>): readonly PlanStep[] {
  return [...everyStep(steps)]
}

/**
 * Returns every step of a plan and of its sub-playbooks, by id. If ids are equal, the plan's own
 * step wins.
 */
export function stepsOf(plan: Plan): ReadonlyMap<string, PlanStep> {
  const found = new Map<string, PlanStep>()
  for (const one of [plan, ...Object.values(plan.playbooks)]) for (const step of ownSteps(one)) if (!found.has(step.id)) found.set(step.id, step)
  return found
}

/** Returns the slots of a plan and of its sub-playbooks, by the name that runs pin. */
export function slotsOf(plan: Slotted): Readonly<Record<string, PlanSlot & { readonly playbook: string; readonly slot: string }>> {
  const all = [plan, ...Object.values(plan.playbooks)].flatMap(({ name, slots }) =>
    Object.entries(slots).map(([slot, one]) => [name === plan.name ? slot : pinnedSlot(name, slot), { ...one, playbook: name, slot }] as const),
  )
  return Object.fromEntries(all)
}

/**
 * Returns the address of a step. Turns `<step>#<number>`, the address of one request of a handler,
 * into the step's.
 */
export function stepAddress(address: string): string {
  return address.replace(/#\d+$/, '')
}
