import { normaliseType, type OrganizationId } from '../../domain/index.ts'
import { parseYaml } from '../../yaml/index.ts'
import { isObject } from '../compile/names.ts'
import { playbookLimits } from '../limits.ts'
import { type PlaybookPlace, placesOf } from './place.ts'

/** What a text says of itself, as far as it can be read at all; it need not compile. Null: it has no name. */
export interface SelfNamed {
  readonly name: string
  /** Normalised; empty: a sub-playbook. */
  readonly types: readonly string[]
}

export function selfNamed(text: string): SelfNamed | null {
  let value: ReturnType<typeof parseYaml>['value']
  try {
    value = parseYaml(text, '', playbookLimits).value
  } catch {
    return null
  }
  if (!isObject(value)) return null
  const { playbook, alert_type: type } = value
  const types = (Array.isArray(type) ? (type as readonly unknown[]) : [type]).filter(
    (each): each is string => typeof each === 'string' && each.trim() !== '',
  )
  if (typeof playbook !== 'string' && types.length === 0) return null
  return { name: typeof playbook === 'string' ? playbook : 'unnamed', types: [...new Set(types.map(normaliseType))] }
}

/** Where a text would become active. */
export function placesNamedIn(text: string, organization: OrganizationId | null): readonly PlaybookPlace[] {
  const named = selfNamed(text)
  return named === null ? [] : placesOf(named, organization)
}
