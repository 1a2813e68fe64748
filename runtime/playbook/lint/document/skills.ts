import { isObject, type Json } from '../../../domain/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'
import type { KnownSkill, SkillLookup } from '../../compile/index.ts'
import type { StepNode } from './outline.ts'

/** The skill that a step calls. */
export interface CalledSkill {
  readonly integration: string
  readonly name: string
  /** Null if there is no such skill. */
  readonly known: KnownSkill | null
}

/** Returns null if the step calls no skill or does not name one. */
export function calledBy({ kind, value }: StepNode, lookup: SkillLookup): CalledSkill | null {
  if (kind === 'skill') return named(value['skill'], lookup)
  const wait = kind === 'wait' && isObject(value['wait']) ? value['wait'] : {}
  return isObject(wait['poll']) ? named(wait['poll']['skill'], lookup) : null
}

function named(skill: Json | undefined, lookup: SkillLookup): CalledSkill | null {
  if (typeof skill !== 'string') return null
  const [integration = '', name = ''] = skill.split('.')
  return { integration, name, known: lookup.skill(integration, name) }
}

/** Returns the schema of an input, or an empty one if it is not an object. */
export function inputSchema({ known }: CalledSkill, input: string): Readonly<Record<string, Json>> {
  const properties = known?.document.input['properties']
  const schema = isObject(properties) ? properties[input] : undefined
  return isObject(schema) ? schema : {}
}

/** Returns the slot of a step: the one it names, the only slot of the integration, or the slot with the integration's name. */
export function slotOf(step: StepNode, { integration }: CalledSkill, slots: Json | undefined): string {
  const { connection } = step.value
  if (typeof connection === 'string') return connection
  const own = isObject(slots) ? Object.entries(slots).filter(([, slot]) => isObject(slot) && slot['integration'] === integration) : []
  return own.length === 1 ? (own[0]?.[0] ?? integration) : integration
}

/** A call as written in the file. */
export interface Call {
  readonly skill: Json | undefined
  readonly value: Json | undefined
  readonly path: DocumentPath
}

/** Returns the calls of a step, with their inputs. */
export function callsOf({ kind, value, path }: StepNode): readonly Call[] {
  if (kind === 'skill') return [{ skill: value['skill'], value: value['with'], path: [...path, 'with'] }]
  const wait = kind === 'wait' && isObject(value['wait']) ? value['wait']['poll'] : undefined
  return isObject(wait) ? [{ skill: wait['skill'], value: wait['with'], path: [...path, 'wait', 'poll', 'with'] }] : []
}
