import type { Path } from '../../../expressions/index.ts'
import { hint, type Misspelling, misspelling } from '../../../yaml/index.ts'
import { PersistentMap } from '../../persistent-map.ts'
import type { CompilerCode } from '../codes/index.ts'

/** Every name that a document declares. */
export interface Names {
  /** By step id: the ids of the loops around the step, outermost first. */
  readonly steps: ReadonlyMap<string, readonly string[]>
  readonly inputs: ReadonlySet<string>
  /** By step id: the ids of the `approve` steps that cover the step. */
  readonly approvals: ReadonlyMap<string, readonly string[]>
  readonly vars: ReadonlySet<string>
  /** The declared slots. Implied slots are added during the compilation. */
  readonly slots: ReadonlyMap<string, unknown>
}

/** What can be read at one place of the playbook. */
export interface Scope {
  /** The roots that exist here, including the items of loops. */
  readonly roots: readonly string[]
  /** The ids of the steps that run before. */
  readonly before: PersistentMap<true>
  /** The ids of the loops around, outermost first. */
  readonly loops: readonly string[]
  /** Whether the iterations of a loop around run at the same time. */
  readonly concurrent: boolean
}

/** Returns what can be read before the first step, such as in the case's title. */
export function openingScope(): Scope {
  return { roots: ['alert', 'inputs', 'organization'], before: PersistentMap.empty(), loops: [], concurrent: false }
}

const stepRoots = ['alert', 'inputs', 'steps', 'vars', 'case', 'organization', 'connections', 'run']

/** Returns what can be read in steps. */
export function stepScope(before: PersistentMap<true> = PersistentMap.empty()): Scope {
  return { roots: stepRoots, before, loops: [], concurrent: false }
}

/** The fields of specification 2.2, and those that the runtime adds: the parsed content, and the alert's name. */
const alertFields = [
  'content',
  'alert_name',
  'alert_content',
  'alert_id',
  'alert_provider',
  'alert_type',
  'alert_uuid',
  'created_at',
  'created_at_source',
  'created_by',
  'investigation_retry_count',
  'organization_code',
  'organization_uuid',
]
/** The fields of a step. */
const stepFields = ['output', 'status', 'error']

/** Why a path cannot be read. */
export interface WrongRead {
  readonly code: CompilerCode
  readonly message: string
  readonly misspelt?: Misspelling
}

/** Returns why a path cannot be read at a place. Null if it can. */
export function checkRead([root = '', name, field]: Path, scope: Scope, names: Names): WrongRead | null {
  if (!scope.roots.includes(root)) return unknownRoot([root, name ?? '', field ?? ''], scope, names)
  if (name === undefined) return null
  switch (root) {
    case 'alert':
      return alertFields.includes(name) ? null : unknown('alert_field_unknown', 'an alert has no field', name, alertFields)
    case 'inputs':
      return names.inputs.has(name) ? null : unknown('input_unknown', 'there is no input', name, names.inputs)
    case 'vars':
      return names.vars.has(name)
        ? null
        : unknown(
            'var_unknown',
            'no step sets',
            `vars.${name}`,
            [...names.vars].map((known) => `vars.${known}`),
          )
    case 'connections':
      return names.slots.has(name) ? null : unknown('slot_unknown', 'there is no slot', name, names.slots.keys())
    case 'steps':
      return checkStep(name, field, scope, names)
    default:
      return null
  }
}

/** Reports an unknown root. If it is the name of a step, an input or a variable, suggests the full path. */
function unknownRoot([root, name, field]: readonly [string, string, string], scope: Scope, names: Names): WrongRead {
  const wrong = unknown('root_unknown', 'there is no', root, scope.roots, 'here')
  if (wrong.misspelt !== undefined) return wrong
  const below = root === 'step' || root === 'input' || root === 'var' ? null : placeOf(root, name, scope, names)
  if (below === null) return counters.includes(root) ? { ...wrong, message: counterMessage(root, scope) } : wrong
  const meant =
    below === `steps.${root}` && name !== '' && !stepFields.includes(name) ? `${below}.output.${name}${field === '' ? '' : `.${field}`}` : below
  return { code: 'root_unknown', message: `there is no \`${root}\` here; did you mean \`${meant}\`?` }
}

/** What other languages call the counter of a loop. */
const counters = ['loop', 'forloop', 'index', 'idx', 'i', 'item_index', 'loop_index', 'ansible_loop']

function counterMessage(root: string, { roots, loops }: Scope): string {
  // Each loop around adds its item to the roots.
  const item = loops.length === 0 ? undefined : roots[stepRoots.length + loops.length - 1]
  const here = item === undefined ? '' : `; the item of the loop is \`${item}\`, and there is no counter`
  return `there is no \`${root}\` here${here}; \`forloop.index\` exists only between {% for %} and {% endfor %}`
}

function placeOf(name: string, next: string, scope: Scope, names: Names): string | null {
  if (scope.roots.includes('steps') && names.steps.has(name)) return `steps.${name}`
  if (names.inputs.has(name)) return `inputs.${name}`
  if (scope.roots.includes('vars') && names.vars.has(name)) return `vars.${name}`
  if (names.slots.has(name) && next === 'bound') return `connections.${name}`
  return name === 'content' ? 'alert.content' : null
}

function checkStep(id: string, field: string | undefined, scope: Scope, names: Names): WrongRead | null {
  const loops = names.steps.get(id)
  if (loops === undefined) return unknown('step_unknown', 'there is no step', id, names.steps.keys())
  if (!scope.before.has(id)) {
    const loop = loops.find((outer, index) => scope.loops[index] !== outer)
    return loop === undefined
      ? {
          code: 'step_not_before',
          message: `step \`${id}\` has not run before this: it is this step, a later one, or in another branch${scope.roots.includes('output') ? '; `until` of a poll reads the last answer as `output`' : ''}`,
        }
      : { code: 'step_in_loop', message: `step \`${id}\` is inside the loop \`${loop}\`; outside, read steps.${loop}.output.items` }
  }
  if (field === undefined || stepFields.includes(field)) return null
  const wrong = unknown('step_field_unknown', 'a step has no', field, stepFields)
  return wrong.misspelt === undefined ? { ...wrong, message: `${wrong.message}; its result is in \`steps.${id}.output\`` } : wrong
}

function unknown(code: CompilerCode, what: string, name: string, known: Iterable<string>, where = ''): WrongRead {
  const candidates = [...known]
  const near = hint(name, candidates)
  const list = near === '' && candidates.length > 0 ? `; known: ${candidates.slice(0, 20).join(', ')}` : near
  return { code, message: `${what} \`${name}\`${where === '' ? '' : ` ${where}`}${list}`, ...misspelling(name, candidates) }
}
