import { isObject, type Json } from '../../domain/index.ts'
import { type Fault, hint, misspelling } from '../../yaml/index.ts'
import { kindList, noKind, stepKinds } from '../grammar/index.ts'
import { adviceOf, insideKeyMeant, keyMeant, rootKeyMeant } from './advice/index.ts'
import { approvalsIn } from './approvals.ts'
import type { Compilation } from './compilation.ts'
import { findSteps, keysOf, type Names } from './names/index.ts'

type Root = Readonly<Record<string, Json>>

/** Returns every name that a document declares. */
export function namesOf(root: Root, slots: Names['slots']): Names {
  const steps = new Map<string, readonly string[]>()
  const vars = new Set<string>()
  for (const { step, loops } of findSteps(root['steps'], ['steps'])) {
    if (typeof step['id'] === 'string' && !steps.has(step['id'])) steps.set(step['id'], loops)
    for (const name of keysOf(step['set'])) vars.add(name)
  }
  return { steps, vars, slots, inputs: new Set(keysOf(root['inputs'])), approvals: approvalsIn(root['steps']) }
}

export function checkIds(compilation: Compilation, root: Root): void {
  const first = new Map<string, number>()
  for (const { step, path } of findSteps(root['steps'], ['steps'])) {
    const { id } = step
    if (typeof id !== 'string') continue
    const line = first.get(id)
    if (line === undefined) first.set(id, compilation.document.locate([...path, 'id']).line)
    else compilation.fault('step_id_taken', [...path, 'id'], `line ${line} already has a step with the id \`${id}\`; ids are unique in a playbook`)
  }
}

/** Returns whether the document is a sub-playbook. */
export function isSub(root: Root): boolean {
  return root['alert_type'] === undefined
}

/** Refuses the keys that a sub-playbook cannot have, because the playbook that runs it provides them. */
export function checkSub(compilation: Compilation, root: Root): void {
  // A misspelt `alert_type` is a finding of its own, and these would only follow from it.
  if (Object.keys(root).some((key) => hint(key, ['alert_type']) !== '')) return
  const refuse = (path: readonly string[], why: string): void => {
    compilation.fault('sub_playbook_key', path, `a playbook without \`alert_type\` is a sub-playbook, and ${why}`, 'key')
  }
  if (root['case'] !== undefined) refuse(['case'], 'cannot open a case; the playbook that runs it does that')
  if (root['duplicates'] !== undefined) refuse(['duplicates'], 'has no alerts of its own; set `duplicates` in the playbook that runs it')
  if (root['verdict'] !== undefined) refuse(['verdict'], 'gives no verdict; return `outputs` to the playbook that runs it')
  if (isObject(root['limits']) && root['limits']['concurrency'] !== undefined)
    refuse(['limits', 'concurrency'], 'runs as part of other runs, which count already')
  const { inputs } = root
  if (!isObject(inputs)) return
  for (const [name, input] of Object.entries(inputs)) {
    if (isObject(input) && input['from'] !== undefined) refuse(['inputs', name, 'from'], 'gets its inputs from the playbook that runs it')
  }
}

/** Adds a finding for a fault of the grammar. For a step without a kind, names the key that is in place of the kind. */
export function noteFault(compilation: Compilation, fault: Fault): void {
  const { path, message } = fault
  const step = valueAt(compilation, path)
  if (message !== noKind) return noteKnown(compilation, fault, step)
  const modifiers = new Set(stepKinds.flatMap(({ schema }) => Object.keys(schema.properties)))
  const stranger = keysOf(step).find((key) => !modifiers.has(key))
  if (stranger === undefined) {
    const branch = keysOf(step).includes('if') && keysOf(step).includes('steps') ? 'the steps of an `if` are in `then`, not in `steps`' : message
    return compilation.fault('step_kind_unknown', path, branch)
  }
  const kinds = stepKinds.map(({ key }) => key)
  const near = hint(stranger, kinds)
  const other = keyMeant(stranger, kinds)
  const told = `\`${stranger}\` is not a step kind${other?.told ?? (near === '' ? `; ${kindList}` : near)}`
  compilation.fault('step_kind_unknown', [...path, stranger], told, 'key', other === null ? misspelling(stranger, kinds).misspelt : undefined)
}

/** Adds a finding for another fault, with advice if the author used the words of another product. */
function noteKnown(compilation: Compilation, fault: Fault, value: Json | undefined): void {
  const { code, path, message, part, misspelt } = fault
  const key = path.at(-1)
  const inside = code === 'key_unknown' ? (insideKeyMeant(path) ?? (misspelt === undefined ? otherKind(compilation, path) : null)) : null
  if (inside !== null) return compilation.fault(code, path, `\`${key}\` is not a key here${inside.told}`, part)
  const other = code === 'key_unknown' && key !== undefined && isInSteps(path) && misspelt === undefined ? keyMeant(key, keysOfSteps) : null
  if (other !== null && key !== undefined) {
    const meant = other.key === undefined || !certain.has(key) ? undefined : { name: key, meant: other.key }
    return compilation.fault(code, path, `\`${key}\` is not a key here${other.told}`, part, meant)
  }
  const top = code === 'key_unknown' && path.length === 1 && misspelt === undefined ? rootKeyMeant(path[0] ?? '') : null
  if (top !== null) return compilation.fault(code, path, `\`${key}\` is not a key here${top.told}`, part)
  const advice = code === 'value_invalid' ? adviceOf(fault, value, compilation) : { told: '' }
  const told = message.includes('did you mean') ? '' : advice.told
  compilation.fault(code, path, `${message}${told}`, part, advice.misspelt ?? misspelt)
}

/** Returns advice for a key that belongs to another kind of step. */
function otherKind(compilation: Compilation, path: readonly string[]): { readonly told: string } | null {
  const kinds = stepKinds.map(({ key }) => key)
  const step = valueAt(compilation, path.slice(0, -1))
  const own = isObject(step) ? kinds.find((kind) => step[kind] !== undefined) : undefined
  if (own === undefined || !isInSteps(path) || !kinds.some((kind) => kind === path.at(-1))) return null
  const loop = path.at(-1) === 'foreach' ? '; the steps of a loop are in its `steps`' : ''
  return { told: `; a step has one kind, and this one is \`${own}\`${loop}` }
}

function valueAt({ document }: Compilation, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((at, key) => (at as Root | undefined)?.[key], document.value)
}

const keysOfSteps: readonly string[] = [...new Set(stepKinds.flatMap(({ schema }) => Object.keys(schema.properties)))]
/** Keys of other products whose value Tocsin writes in the same way. */
const certain: ReadonlySet<string> = new Set(['loop', 'with_items', 'for_each', 'forEach', 'args', 'arguments', 'params', 'parameters', 'loop_var'])

function isInSteps(path: readonly string[]): boolean {
  return path[0] === 'steps' && /^\d+$/.test(path.at(-2) ?? '')
}
