import { isObject, type Json } from '../../domain/index.ts'
import type { Pausing } from '../../fairness/index.ts'
import type { DocumentPath } from '../../yaml/index.ts'
import { intoNested, nestedLists, type StepDocument } from '../grammar/index.ts'
import type { PlanStep } from '../plan.ts'
import type { Compilation } from './compilation.ts'
import type { Scope } from './names/index.ts'
import {
  compileApprove,
  compileCase,
  compileForeach,
  compileIf,
  compileParallel,
  compilePlaybookStep,
  compileScript,
  compileSet,
  compileSkill,
  compileStop,
  compileSwitch,
  compileWait,
  type StepAt,
} from './steps/index.ts'

/**
 * Compiles a list of steps. Leaves out steps that do not fit the schema, but compiles the steps nested in them, to find more errors.
 * @returns the steps, and the ids of the steps that have run after them
 */
export function* compileSteps(
  compilation: Compilation,
  list: Json | undefined,
  path: DocumentPath,
  scope: Scope,
): Pausing<{ readonly steps: readonly PlanStep[]; readonly before: Scope['before'] }> {
  const steps: PlanStep[] = []
  let before = scope.before
  for (const [index, step] of (Array.isArray(list) ? (list as readonly Json[]) : []).entries()) {
    if (!isObject(step)) continue
    yield
    const compiled = yield* compileStep(compilation, step, [...path, index], { ...scope, before })
    if (compiled.step !== null) steps.push(compiled.step)
    before = compiled.before
  }
  return { steps, before }
}

function* compileStep(
  compilation: Compilation,
  value: Readonly<Record<string, Json>>,
  path: DocumentPath,
  scope: Scope,
): Pausing<{ readonly step: PlanStep | null; readonly before: Scope['before'] }> {
  let after = scope.before
  const nested = nestedLists(value)
  const byPath = new Map(nested.map((one) => [one.path.join('/'), one]))
  const list = function* (inner: DocumentPath, within: Scope): Pausing<readonly PlanStep[]> {
    const found = byPath.get(inner.join('/'))
    const compiled = yield* compileSteps(compilation, found?.list, [...path, ...inner], within)
    // The steps of a loop cannot be read after it. Those of a branch can.
    if (!found?.loop) for (const { key } of compiled.before.differences(within.before)) after = after.set(key, true)
    return compiled.steps
  }
  const fits = compilation.fits(path, intoNested)
  const step = value as unknown as StepDocument
  const id = typeof value['id'] === 'string' ? value['id'] : ''
  const at = compilation.document.locate(path)
  const own = { id, at: { line: at.line, column: at.column }, condition: null, onError: 'fail' as const }
  const compiled = fits ? yield* compileKind(compilation, { step, path, scope, base: own, list }) : null
  if (!fits) for (const { path: inner, loop } of nested) if (inner[0] !== 'on_error') yield* list(inner, loop ? loopScope(scope, value, id) : scope)

  const guarded = fits && 'if' in step && step.if !== undefined && !('then' in step)
  const condition = guarded ? compilation.condition(value['if'] ?? false, [...path, 'if'], scope) : null
  after = after.set(id, true)
  const handled = Array.isArray(value['on_error']) ? yield* list(['on_error'], { ...scope, before: after }) : null
  const onError = handled ?? (value['on_error'] === 'continue' ? 'continue' : 'fail')
  return { step: compiled === null ? null : { ...compiled, condition, onError }, before: after }
}

/** Returns the scope inside a loop that does not fit the schema, so that the steps inside are not reported for that. */
function loopScope(scope: Scope, value: Readonly<Record<string, Json>>, id: string): Scope {
  const item = typeof value['as'] === 'string' ? value['as'] : 'item'
  return { ...scope, roots: [...scope.roots, item], loops: [...scope.loops, id] }
}

/** The function that compiles each kind of step. */
function* compileKind(compilation: Compilation, at: StepAt<StepDocument>): Pausing<PlanStep> {
  const { step } = at
  if ('skill' in step) return compileSkill(compilation, { ...at, step })
  if ('set' in step) return compileSet(compilation, { ...at, step })
  if ('then' in step) return yield* compileIf(compilation, { ...at, step })
  if ('switch' in step) return yield* compileSwitch(compilation, { ...at, step })
  if ('parallel' in step) return yield* compileParallel(compilation, { ...at, step })
  if ('playbook' in step) return compilePlaybookStep(compilation, { ...at, step })
  if ('script' in step) return compileScript(compilation, { ...at, step })
  if ('foreach' in step) return yield* compileForeach(compilation, { ...at, step })
  if ('case' in step) return compileCase(compilation, { ...at, step })
  if ('wait' in step) return compileWait(compilation, { ...at, step })
  if ('approve' in step) return compileApprove(compilation, { ...at, step })
  return compileStop(compilation, { ...at, step })
}
