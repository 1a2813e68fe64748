import type { Json } from '../../../domain/index.ts'
import { isTemplate } from '../../../expressions/index.ts'
import { type DocumentPath, hint, misspelling } from '../../../yaml/index.ts'
import type { PlaybookStepDocument } from '../../grammar/index.ts'
import { mostNested } from '../../limits.ts'
import type { Plan, PlanInput, PlaybookStep } from '../../plan.ts'
import type { Compilation } from '../compilation.ts'
import type { StepAt } from './step-at.ts'

/** Compiles a call of a sub-playbook. Reports one that is unknown or calls itself, and wrong inputs. */
export function compilePlaybookStep(compilation: Compilation, { step, path, scope, base }: StepAt<PlaybookStepDocument>): PlaybookStep {
  const plan = subPlaybook(compilation, step.playbook, [...path, 'playbook'])
  if (plan !== null) {
    checkInputs(compilation, plan, step.with ?? {}, path)
    for (const [name, sub] of Object.entries({ ...plan.playbooks, [plan.name]: plan })) compilation.playbooks.set(name, sub)
  }
  const given = compilation.value(step.with ?? {}, [...path, 'with'], scope)
  return { ...base, kind: 'playbook', playbook: plan ?? unknownPlan, with: given }
}

function subPlaybook(compilation: Compilation, name: string, path: DocumentPath): Plan | null {
  const { lookup, within } = compilation
  const start = within.indexOf(name)
  if (start >= 0) {
    const way = [...within.slice(start), name].join(' runs ')
    compilation.fault('sub_playbook_circle', path, `the playbooks run each other in a circle: ${way}`)
    return null
  }
  if (within.length > mostNested) return tooDeep(compilation, path)
  const known = lookup.playbook(name, within)
  if (known === null) {
    const names = lookup.playbooks()
    compilation.fault(
      'sub_playbook_unknown',
      path,
      `there is no playbook \`${name}\`${hint(name, names)}`,
      'value',
      misspelling(name, names).misspelt,
    )
    return null
  }
  if (known.kind === 'invalid') {
    const circle = known.error.places.find(({ code }) => code === 'sub_playbook_circle')
    if (circle) compilation.fault('sub_playbook_circle', path, circle.message)
    else if (known.error.places.some(({ code }) => code === 'sub_playbook_too_deep')) return tooDeep(compilation, path)
    else compilation.fault('sub_playbook_invalid', path, `\`${name}\` has errors: ${known.error.message}`)
    return null
  }
  if (within.length + levelsOf(known.plan) - 1 > mostNested) return tooDeep(compilation, path)
  if (known.plan.types.length === 0) return known.plan
  const types = known.plan.types.join(', ')
  compilation.fault('sub_playbook_has_types', path, `\`${name}\` has alert types (${types}); a sub-playbook must have no \`alert_type\``)
  return null
}

function tooDeep(compilation: Compilation, path: DocumentPath): null {
  compilation.fault('sub_playbook_too_deep', path, `these playbooks are nested more than ${mostNested} deep`)
  return null
}

const levels = new WeakMap<Plan, number>()

/** Returns how many playbooks run inside each other in a plan, including the plan itself. */
function levelsOf(plan: Plan): number {
  const known = levels.get(plan)
  if (known !== undefined) return known
  const found = 1 + Math.max(0, ...Object.values(plan.playbooks).map(levelsOf))
  levels.set(plan, found)
  return found
}

/** Checks `with` against the declared inputs: all keys, and literal values. Templates are checked when they are rendered. */
function checkInputs(compilation: Compilation, plan: Plan, given: Readonly<Record<string, Json>>, path: DocumentPath): void {
  const known = new Map(plan.inputs.map((input) => [input.name, input]))
  for (const [key, value] of Object.entries(given)) {
    const input = known.get(key)
    if (input !== undefined) checkValue(compilation, input, value, [...path, 'with', key])
    else {
      const near = hint(key, known.keys())
      const rest = near === '' ? `; its inputs are ${[...known.keys()].join(', ') || 'none'}` : near
      const { misspelt } = misspelling(key, known.keys())
      compilation.fault('sub_playbook_input_unknown', [...path, 'with', key], `\`${plan.name}\` has no input \`${key}\`${rest}`, 'key', misspelt)
    }
  }
  for (const { name, required } of plan.inputs) {
    if (required && !Object.hasOwn(given, name)) {
      compilation.fault('sub_playbook_input_missing', [...path, 'with'], `\`${plan.name}\` needs the input \`${name}\``)
    }
  }
}

function checkValue(compilation: Compilation, input: PlanInput, value: Json, path: DocumentPath): void {
  if (holdsTemplate(value)) return
  for (const fault of input.check(value)) compilation.fault('sub_playbook_input_invalid', path, fault)
}

function holdsTemplate(value: Json): boolean {
  if (typeof value === 'string') return isTemplate(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsTemplate)
}

/** Takes the place of a missing sub-playbook. The playbook that runs it is refused anyway. */
const unknownPlan: Plan = {
  name: '',
  digest: '' as Plan['digest'],
  types: [],
  description: '',
  inputs: [],
  slots: {},
  limits: { time: null, steps: 1, output: 1, evaluation: 1, concurrency: null, impact: { high: null, write: null, targets: null } },
  case: { title: null, severity: 'unassigned', join: null },
  duplicates: null,
  steps: [],
  verdict: null,
  outputs: null,
  playbooks: {},
}
