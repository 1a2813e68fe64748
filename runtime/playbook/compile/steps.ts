import type { Json } from '../../domain/index.ts'
import type { DocumentPath } from '../../yaml/index.ts'
import type { StepDocument } from '../grammar/index.ts'
import type { PlanStep } from '../plan.ts'
import type { Compilation } from './compilation.ts'
import { intoNested, isObject, nestedLists } from './names.ts'
import type { Scope } from './scope.ts'
import { compileApprove } from './steps/approve.ts'
import { compileCase } from './steps/case.ts'
import { compileForeach } from './steps/foreach.ts'
import { compileIf } from './steps/if.ts'
import { compileParallel } from './steps/parallel.ts'
import { compilePlaybookStep } from './steps/playbook.ts'
import { compileScript } from './steps/script.ts'
import { compileSet } from './steps/set.ts'
import { compileSkill } from './steps/skill.ts'
import { compileStop } from './steps/stop.ts'
import { compileSwitch } from './steps/switch.ts'
import { compileWait } from './steps/wait.ts'

/** What a kind's file gets: the step, where it stands, what it may name, and how to compile the lists in it. */
export interface StepAt<T> {
  readonly step: T
  readonly path: DocumentPath
  readonly scope: Scope
  /** What every kind has. */
  readonly base: Pick<PlanStep, 'id' | 'at' | 'condition' | 'onError'>
  /** @param path of the list, from the step */
  list(path: DocumentPath, scope: Scope): readonly PlanStep[]
}

/**
 * Compiles a list of steps that may not fit the schema: what does not is left out, and the lists in it are looked at all the same.
 * @returns the steps, and the ids that have run after them
 */
export function compileSteps(
  compilation: Compilation,
  list: Json | undefined,
  path: DocumentPath,
  scope: Scope,
): { readonly steps: readonly PlanStep[]; readonly before: ReadonlySet<string> } {
  const steps: PlanStep[] = []
  let before = scope.before
  for (const [index, step] of (Array.isArray(list) ? (list as readonly Json[]) : []).entries()) {
    if (!isObject(step)) continue
    const compiled = compileStep(compilation, step, [...path, index], { ...scope, before })
    if (compiled.step !== null) steps.push(compiled.step)
    before = compiled.before
  }
  return { steps, before }
}

function compileStep(
  compilation: Compilation,
  value: Readonly<Record<string, Json>>,
  path: DocumentPath,
  scope: Scope,
): { readonly step: PlanStep | null; readonly before: ReadonlySet<string> } {
  const after = new Set(scope.before)
  const nested = nestedLists(value)
  const list = (inner: DocumentPath, within: Scope): readonly PlanStep[] => {
    const found = nested.find(({ path: at }) => at.join('/') === inner.join('/'))
    const compiled = compileSteps(compilation, found?.list, [...path, ...inner], within)
    // The steps of a loop belong to its iterations; those of a branch stay with the run.
    if (!found?.loop) for (const id of compiled.before) after.add(id)
    return compiled.steps
  }
  const fits = compilation.fits(path, intoNested)
  const step = value as unknown as StepDocument
  const id = typeof value['id'] === 'string' ? value['id'] : ''
  const at = compilation.document.locate(path)
  const own = { id, at: { line: at.line, column: at.column }, condition: null, onError: 'fail' as const }
  const compiled = fits ? compileKind(compilation, { step, path, scope, base: own, list }) : null
  if (!fits) for (const { path: inner, loop } of nested) if (inner[0] !== 'on_error') list(inner, loop ? loopScope(scope, value, id) : scope)

  const guarded = fits && 'if' in step && step.if !== undefined && !('then' in step)
  const condition = guarded ? compilation.condition(value['if'] ?? false, [...path, 'if'], scope) : null
  after.add(id)
  const handled = Array.isArray(value['on_error']) ? list(['on_error'], { ...scope, before: new Set(after) }) : null
  const onError = handled ?? (value['on_error'] === 'continue' ? 'continue' : 'fail')
  return { step: compiled === null ? null : { ...compiled, condition, onError }, before: after }
}

/** Of a loop that does not fit the schema: enough that what is in it is not blamed for it. */
function loopScope(scope: Scope, value: Readonly<Record<string, Json>>, id: string): Scope {
  const item = typeof value['as'] === 'string' ? value['as'] : 'item'
  return { ...scope, roots: [...scope.roots, item], loops: [...scope.loops, id] }
}

/** One line a kind. */
function compileKind(compilation: Compilation, at: StepAt<StepDocument>): PlanStep {
  const { step } = at
  if ('skill' in step) return compileSkill(compilation, { ...at, step })
  if ('set' in step) return compileSet(compilation, { ...at, step })
  if ('then' in step) return compileIf(compilation, { ...at, step })
  if ('switch' in step) return compileSwitch(compilation, { ...at, step })
  if ('parallel' in step) return compileParallel(compilation, { ...at, step })
  if ('playbook' in step) return compilePlaybookStep(compilation, { ...at, step })
  if ('script' in step) return compileScript(compilation, { ...at, step })
  if ('foreach' in step) return compileForeach(compilation, { ...at, step })
  if ('case' in step) return compileCase(compilation, { ...at, step })
  if ('wait' in step) return compileWait(compilation, { ...at, step })
  if ('approve' in step) return compileApprove(compilation, { ...at, step })
  return compileStop(compilation, { ...at, step })
}
