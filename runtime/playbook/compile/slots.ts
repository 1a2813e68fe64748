import { isObject, type Json } from '../../domain/index.ts'
import { type DocumentPath, hint, misspelling } from '../../yaml/index.ts'
import type { SlotDocument } from '../grammar/index.ts'
import type { PlanSlot } from '../plan.ts'
import type { Compilation } from './compilation.ts'
import { findSteps } from './names/index.ts'

/** Returns the declared slots. Includes invalid ones, so that the steps that use them are not reported too. */
export function declaredSlots(value: Json | undefined): Map<string, PlanSlot> {
  const slots = new Map<string, PlanSlot>()
  for (const [name, slot] of Object.entries(isObject(value) ? value : {})) {
    const { integration, optional } = (isObject(slot) ? slot : {}) as Partial<SlotDocument>
    slots.set(name, { integration: typeof integration === 'string' ? integration : '', optional: optional === true })
  }
  return slots
}

export function checkSlots(compilation: Compilation): void {
  const known = compilation.lookup.integrations()
  for (const [name, { integration }] of compilation.slots) {
    if (integration === '' || known.includes(integration)) continue
    const message = `there is no integration \`${integration}\`${hint(integration, known)}`
    compilation.fault('integration_unknown', ['connections', name, 'integration'], message, 'value', misspelling(integration, known).misspelt)
  }
}

/**
 * Returns the slot that a step uses: the one it names, or the only one of its integration. If the playbook declares none for the integration,
 * adds a required slot with the integration's name.
 */
export function slotOf(compilation: Compilation, integration: string, named: string | undefined, path: DocumentPath): string {
  const { slots } = compilation
  if (named !== undefined) {
    const slot = slots.get(named)
    if (slot === undefined) {
      const message = `there is no slot \`${named}\`${hint(named, slots.keys())}`
      compilation.fault('slot_unknown', [...path, 'connection'], message, 'value', misspelling(named, slots.keys()).misspelt)
    } else if (slot.integration !== '' && slot.integration !== integration) {
      compilation.fault(
        'slot_wrong_integration',
        [...path, 'connection'],
        `the slot \`${named}\` is for ${slot.integration}, and the skill belongs to ${integration}`,
      )
    }
    return named
  }
  const fitting = [...slots].filter(([, slot]) => slot.integration === integration).map(([name]) => name)
  const [only] = fitting
  if (fitting.length > 1) {
    compilation.fault(
      'slot_ambiguous',
      [...path, 'skill'],
      `several slots are for ${integration}; choose one with \`connection\`: ${fitting.join(', ')}`,
    )
  }
  if (only !== undefined) return only
  if (slots.has(integration)) {
    compilation.fault(
      'slot_name_taken',
      [...path, 'skill'],
      `declare a slot for ${integration}; the slot \`${integration}\` is for ${slots.get(integration)?.integration}`,
    )
  } else slots.set(integration, { integration, optional: false })
  return integration
}

/** A slot of a playbook, and the skills that its steps call with it. */
export interface SlotUse {
  readonly slot: string
  readonly integration: string
  readonly optional: boolean
  /** As `<integration>.<skill>`, each once, in the order of the steps. */
  readonly skills: readonly string[]
}

/** Returns the slots of a document by the rules of `slotOf`. The document need not compile. */
export function slotUsesIn(document: Json): readonly SlotUse[] {
  if (!isObject(document)) return []
  const slots = declaredSlots(document['connections'])
  const skills = new Map<string, Set<string>>()
  for (const { step } of findSteps(document['steps'], ['steps'])) {
    const wait = isObject(step['wait']) && isObject(step['wait']['poll']) ? step['wait']['poll'] : {}
    for (const { skill, connection } of [step, wait]) {
      if (typeof skill !== 'string' || !skill.includes('.')) continue
      const [integration = ''] = skill.split('.')
      const named = typeof connection === 'string' ? connection : undefined
      const slot = named ?? [...slots].find(([, each]) => each.integration === integration)?.[0] ?? integration
      if (!slots.has(slot)) slots.set(slot, { integration, optional: false })
      skills.set(slot, (skills.get(slot) ?? new Set()).add(skill))
    }
  }
  return [...slots].map(([slot, { integration, optional }]) => ({ slot, integration, optional, skills: [...(skills.get(slot) ?? [])] }))
}
