import { isObject } from '../../../domain/index.ts'
import * as typing from '../../../expressions/typing/index.ts'
import { parseYaml } from '../../../yaml/index.ts'
import { playbookLimits } from '../../limits.ts'
import { flowOf } from '../flow/index.ts'
import type { Subject } from '../rule.ts'
import type { LintWorld } from '../world.ts'
import { mayBeSpared } from './outputs.ts'
import { inputType } from './roots.ts'

/** The types of a sub-playbook's inputs and outputs. */
export interface SubPlaybookTypes {
  readonly inputs: ReadonlyMap<string, typing.Type>
  /** The names of the required inputs. */
  readonly required: ReadonlySet<string>
  readonly outputs: typing.Type
}

const kept = new WeakMap<LintWorld, Map<string, SubPlaybookTypes | null>>()

/**
 * Returns the types of a sub-playbook. Null if it is missing or wrong; the compiler reports that at the step that runs it.
 * @param closing returns the types of what can be read after the steps of a playbook
 */
export function subPlaybookTypes(world: LintWorld, name: string, closing: (subject: Subject) => typing.Environment): SubPlaybookTypes | null {
  const known = kept.get(world) ?? new Map<string, SubPlaybookTypes | null>()
  kept.set(world, known)
  const standing = known.get(name)
  if (standing !== undefined) return standing
  // If playbooks run each other in a circle, their types are unknown.
  known.set(name, null)
  const types = typesOf(world, name, closing)
  known.set(name, types)
  return types
}

function typesOf(world: LintWorld, name: string, closing: (subject: Subject) => typing.Environment): SubPlaybookTypes | null {
  const found = world.playbook(name, [])
  if (found?.kind !== 'plan') return null
  const document = parseYaml(found.source.text, found.source.file, playbookLimits)
  const root = isObject(document.value) ? document.value : {}
  const { inputs, outputs } = root
  const declared = Object.entries(isObject(inputs) ? inputs : {})
  const environment = closing({ document, root, world, flow: flowOf(root, (step) => mayBeSpared(step, world)), plan: found.plan })
  return {
    inputs: new Map(declared.map(([input, shape]) => [input, inputType(shape)])),
    required: new Set(declared.flatMap(([input, shape]) => (isObject(shape) && shape['required'] === true ? [input] : []))),
    outputs: outputs === undefined ? typing.nullType : typing.typeOfTemplate(outputs, environment, world.filters()).type,
  }
}
