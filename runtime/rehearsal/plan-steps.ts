import { pinnedSlot } from '../engine/index.ts'
import { everyStep, type Plan, type PlanSlot, type PlanStep } from '../playbook/index.ts'

/** Every step of a plan itself, in the order of the file. */
export function ownSteps({ steps }: Pick<Plan, 'steps'>): readonly PlanStep[] {
  return [...everyStep(steps)]
}

/** Every step of a plan and of its sub-playbooks, by id; the plan's own count first. */
export function stepsOf(plan: Plan): ReadonlyMap<string, PlanStep> {
  const found = new Map<string, PlanStep>()
  for (const one of [plan, ...Object.values(plan.playbooks)]) for (const step of ownSteps(one)) if (!found.has(step.id)) found.set(step.id, step)
  return found
}

/** The slots of a plan and of its sub-playbooks, as runs pin them. */
export function slotsOf(plan: Plan): Readonly<Record<string, PlanSlot & { readonly playbook: string; readonly slot: string }>> {
  const all = [plan, ...Object.values(plan.playbooks)].flatMap(({ name, slots }) =>
    Object.entries(slots).map(([slot, one]) => [name === plan.name ? slot : pinnedSlot(name, slot), { ...one, playbook: name, slot }] as const),
  )
  return Object.fromEntries(all)
}

/** The address of a step; one request of its handler has an address of its own, `<step>#<number>`. */
export function stepAddress(address: string): string {
  return address.replace(/#\d+$/, '')
}
