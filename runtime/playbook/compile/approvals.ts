import { isObject, type Json } from '../../domain/index.ts'
import { type DocumentPath, hint, misspelling } from '../../yaml/index.ts'
import type { CompilerCode } from './codes/index.ts'
import type { Compilation } from './compilation.ts'
import { type FoundStep, findSteps, keysOf } from './names/index.ts'

interface Covering {
  readonly approval: FoundStep
  readonly covered: string
  /** The path of the id in the document. */
  readonly path: DocumentPath
}

function* coveringsIn(steps: Json | undefined): Generator<Covering> {
  for (const approval of findSteps(steps, ['steps'])) {
    const { approve } = approval.step
    const covers = isObject(approve) ? approve['covers'] : undefined
    const path = [...approval.path, 'approve', 'covers']
    if (typeof covers === 'string') yield { approval, covered: covers, path }
    if (!Array.isArray(covers)) continue
    for (const [index, id] of (covers as readonly Json[]).entries())
      if (typeof id === 'string') yield { approval, covered: id, path: [...path, index] }
  }
}

/** Returns, by step id, the ids of the `approve` steps that cover the step. */
export function approvalsIn(steps: Json | undefined): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const { approval, covered } of coveringsIn(steps)) found.set(covered, [...(found.get(covered) ?? []), String(approval.step['id'])])
  return found
}

/** Checks that each approval covers writes after it, in the same iteration, whose input is known when the approval is requested. */
export function checkApprovals(compilation: Compilation, steps: Json | undefined): void {
  const all = new Map([...findSteps(steps, ['steps'])].map((found) => [String(found.step['id']), found]))
  for (const covering of coveringsIn(steps)) {
    const found = all.get(covering.covered)
    if (found === undefined) {
      const message = `there is no step \`${covering.covered}\`${hint(covering.covered, all.keys())}`
      compilation.fault('step_unknown', covering.path, message, 'value', misspelling(covering.covered, all.keys()).misspelt)
    } else if (checkCovered(compilation, covering, found)) bind(compilation, covering, all)
  }
}

/** Checks that the covered step is a write, in the same loop as its approval and after it. Reports the fault if not. */
function checkCovered(compilation: Compilation, { approval, covered, path }: Covering, found: FoundStep): boolean {
  const wrong = (code: CompilerCode, message: string): false => {
    compilation.fault(code, path, `\`${covered}\` ${message}`)
    return false
  }
  const { skill } = found.step
  const [integration = '', name = ''] = typeof skill === 'string' ? skill.split('.') : []
  const impact = compilation.lookup.skill(integration, name)?.impact
  if (typeof skill !== 'string') return wrong('approval_covers_no_write', 'is not a skill step; an approval covers calls')
  if (impact === 'read') return wrong('approval_covers_no_write', 'only reads; an approval covers writes')
  if (String(approval.loops) !== String(found.loops)) return wrong('approval_covers_elsewhere', 'is not in the same loop as its approval')
  return comesAfter(found.path, approval.path) || wrong('approval_covers_elsewhere', 'does not come after its approval')
}

/** Returns whether a step comes after another one: both, or steps that contain them, are in the same list in this order. */
function comesAfter(later: DocumentPath, earlier: DocumentPath): boolean {
  const parts = earlier.findIndex((part, index) => part !== later[index])
  const list = earlier[parts - 1]
  const [from, to] = [earlier[parts], later[parts]]
  // Branches, or cases of one `switch`, do not run one after the other.
  return typeof from === 'number' && typeof to === 'number' && to > from && list !== 'switch'
}

/** Adds the covered step to the approval. All parts of its call must be known when the approval is requested, because people approve what is sent. */
function bind(compilation: Compilation, { approval, covered, path }: Covering, all: ReadonlyMap<string, FoundStep>): void {
  const asked = compilation.approvals.get(String(approval.step['id']))
  const call = compilation.calls.get(covered)
  if (asked === undefined || call === undefined) return
  const between = new Set([...call.scope.before.differences(asked.scope.before)].flatMap(({ key, own }) => (own ? [key] : [])))
  const setBetween = new Set([...between].flatMap((id) => keysOf(all.get(id)?.step['set'])))
  for (const [root, name] of call.step.with.reads) {
    if (name === undefined) continue
    const late = (root === 'steps' && between.has(name)) || (root === 'vars' && setBetween.has(name))
    if (late) {
      const message = `\`${covered}\` sends ${root}.${name}, which is not known when the approval is requested`
      compilation.fault('approval_covers_unknown_yet', path, message)
      return
    }
  }
  asked.covered.push(call.step)
}
