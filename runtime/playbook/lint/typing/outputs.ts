import { isObject, type Json } from '../../../domain/index.ts'
import * as typing from '../../../expressions/typing/index.ts'
import type { StepNode } from '../document/index.ts'
import type { LintWorld } from '../world.ts'

const { any, boolean, integer, listOf, nullable, nullType, objectOf, oneOf, optional, text, typeOfSchema, typeOfValue } = typing

/** Returns a skill with its schemas. Null if it is not known. */
export function skillOf(world: LintWorld, name: Json | undefined): ReturnType<LintWorld['skill']> {
  const [integration = '', skill = ''] = typeof name === 'string' ? name.split('.') : []
  return integration === '' ? null : world.skill(integration, skill)
}

/** Returns whether a step is skipped if it would change a protected entity. */
export function mayBeSpared({ kind, value }: StepNode, world: LintWorld): boolean {
  return kind === 'skill' && skillOf(world, value['skill'])?.impact !== 'read'
}

/** Returns the type of the output of a skill. Of an unknown one, anything. */
export function skillOutput(world: LintWorld, name: Json | undefined): typing.Type {
  const output = skillOf(world, name)?.document.output
  return output === undefined ? any : typeOfSchema(output)
}

/** Returns the type of a step's output, for kinds whose output does not depend on the step's values. */
export function fixedOutput({ kind, value, branches }: StepNode, world: LintWorld): typing.Type {
  switch (kind) {
    case 'skill':
      return skillOutput(world, value['skill'])
    case 'if':
      return boolean
    case 'switch':
      return nullable(integer)
    case 'parallel': {
      const branch = objectOf({ status: oneOf('done', 'failed', 'left', 'cancelled'), error: optional(errorType(null)) })
      return objectOf(Object.fromEntries(branches.map(({ path }) => [String(path.at(-1)), branch])))
    }
    case 'script':
      return isObject(value['output']) ? typeOfSchema(value['output']) : any
    case 'wait': {
      const wait = isObject(value['wait']) ? value['wait'] : {}
      return isObject(wait['poll']) ? skillOutput(world, wait['poll']['skill']) : nullType
    }
    case 'approve':
      return objectOf({ approved: typeOfValue(true), by: listOf(text, 1), reason: nullable(text), at: integer }, 'declared')
    case 'case':
    case 'stop':
      return nullType
    default:
      return any
  }
}

/** @param codes all possible codes; null: not known */
function errorType(codes: readonly string[] | null): typing.Type {
  return objectOf({ code: codes === null ? text : oneOf(...codes), message: text })
}

/** Returns the type of a step's error. If the integration is known, it has only the codes of that integration. */
export function errorOf(integration: string, world: LintWorld): typing.Type {
  return errorType(world.integrations().includes(integration) ? world.codes(integration) : null)
}
