import { type Json, normaliseType } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import { digestOf, type Fault, faultsOf, hint, misspelling, parseDuration, parseSize, parseYaml, type YamlDocument } from '../yaml/index.ts'
import { approvalsIn, checkApprovals } from './compile/approvals.ts'
import { Compilation } from './compile/compilation.ts'
import { compileInput } from './compile/inputs.ts'
import type { SkillLookup } from './compile/lookup.ts'
import { findSteps, isObject, keysOf } from './compile/names.ts'
import { type Names, openingScope, stepScope } from './compile/scope.ts'
import { checkSlots, declaredSlots } from './compile/slots.ts'
import { compileSteps } from './compile/steps.ts'
import { type Finding, inOrder, placeOfFinding } from './findings/index.ts'
import { checkPlaybook, kindList, noKind, type PlaybookDocument, stepKinds } from './grammar/index.ts'
import type { Plan, PlanInput, PlanJoin, PlanLimits } from './plan.ts'

export type { KnownSkill, SkillLookup } from './compile/lookup.ts'

const defaultSteps = 1_000
const defaultOutput = '5MiB'

/**
 * Compiles a playbook: YAML in, an immutable plan out, or every place that is wrong at once.
 * @param file the file's name, for messages
 * @throws TocsinError `yaml_invalid`; `playbook_invalid` with the line and column of each place
 */
export function compilePlaybook(text: string, file: string, lookup: SkillLookup): Plan {
  const { plan, findings } = examinePlaybook(parseYaml(text, file), lookup)
  if (plan === null) throw refusal(file, findings)
  return plan
}

/** A playbook's plan, or everything that keeps it from having one, in the order of the file. */
export interface Examined {
  readonly plan: Plan | null
  /** The plan also where nothing is wrong but that loops have no bound (their `maxItems` is infinite): what it may do can be said all the same. */
  readonly sketch: Plan | null
  readonly findings: readonly Finding[]
}

/** Compiles a document as `compilePlaybook` does, for who wants to know what is wrong, and how it is put right. */
export function examinePlaybook(document: YamlDocument, lookup: SkillLookup): Examined {
  const faults = faultsOf(checkPlaybook, document.value)
  const root: Readonly<Record<string, Json>> = isObject(document.value) ? document.value : {}
  const slots = declaredSlots(root['connections'])
  const compilation = new Compilation(document, lookup, namesOf(root, slots), slots, faults)
  for (const fault of faults) noteFault(compilation, fault)
  checkSlots(compilation)
  checkIds(compilation, root)

  const playbook = root as unknown as PlaybookDocument
  const inputs: PlanInput[] = []
  for (const name of keysOf(root['inputs'])) {
    const input = playbook.inputs?.[name]
    if (input !== undefined && compilation.fits(['inputs', name])) inputs.push(compileInput(compilation, name, input))
  }
  const title = compilation.fits(['case']) ? playbook.case?.title : undefined
  const opening = title === undefined ? null : compilation.value(title, ['case', 'title'], openingScope)
  const join = joinOf(compilation, playbook)
  const { steps, before } = compileSteps(compilation, root['steps'], ['steps'], stepScope)
  checkApprovals(compilation, root['steps'])
  const summary = compilation.fits(['verdict']) ? playbook.verdict?.summary : undefined
  const verdict = summary === undefined ? null : compilation.value(summary, ['verdict', 'summary'], { ...stepScope, before })
  const findings = inOrder(compilation.findings)
  if (findings.some(({ code }) => code !== 'loop_unbounded')) return { plan: null, sketch: null, findings }

  const sketch: Plan = {
    name: playbook.playbook,
    digest: digestOf(document.text),
    types: [...new Set([playbook.alert_type].flat().map(normaliseType))],
    description: playbook.description ?? '',
    inputs,
    slots: Object.fromEntries(slots),
    limits: limitsOf(playbook),
    case: { title: opening, severity: playbook.case?.severity ?? 'unassigned', join },
    steps,
    verdict,
  }
  return { plan: findings.length === 0 ? sketch : null, sketch, findings }
}

function namesOf(root: Readonly<Record<string, Json>>, slots: Names['slots']): Names {
  const steps = new Map<string, readonly string[]>()
  const vars = new Set<string>()
  for (const { step, loops } of findSteps(root['steps'], ['steps'])) {
    if (typeof step['id'] === 'string' && !steps.has(step['id'])) steps.set(step['id'], loops)
    for (const name of keysOf(step['set'])) vars.add(name)
  }
  return { steps, vars, slots, inputs: new Set(keysOf(root['inputs'])), approvals: approvalsIn(root['steps']) }
}

function checkIds(compilation: Compilation, root: Readonly<Record<string, Json>>): void {
  const first = new Map<string, number>()
  for (const { step, path } of findSteps(root['steps'], ['steps'])) {
    const { id } = step
    if (typeof id !== 'string') continue
    const line = first.get(id)
    if (line === undefined) first.set(id, compilation.document.locate([...path, 'id']).line)
    else compilation.fault('step_id_taken', [...path, 'id'], `the step id \`${id}\` is taken on line ${line}; ids are unique in a playbook`)
  }
}

function joinOf(compilation: Compilation, { case: opening }: PlaybookDocument): PlanJoin | null {
  if (!compilation.fits(['case']) || opening?.join === undefined) return null
  const { key, within } = opening.join
  return { key: compilation.value(key, ['case', 'join', 'key'], openingScope), within: parseDuration(within) }
}

function limitsOf({ limits = {} }: PlaybookDocument): PlanLimits {
  return {
    time: limits.time === undefined ? null : parseDuration(limits.time),
    steps: limits.steps ?? defaultSteps,
    output: parseSize(limits.output ?? defaultOutput),
    concurrency: limits.concurrency ?? null,
  }
}

/** A step of no kind is told which key stands where the kind should. */
function noteFault(compilation: Compilation, { code, path, message, part, misspelt }: Fault): void {
  if (message !== noKind) return compilation.fault(code, path, message, part, misspelt)
  const step = path.reduce<Json | undefined>((at, key) => (at as Readonly<Record<string, Json>> | undefined)?.[key], compilation.document.value)
  const modifiers = new Set(stepKinds.flatMap(({ schema }) => Object.keys(schema.properties)))
  const stranger = keysOf(step).find((key) => !modifiers.has(key))
  if (stranger === undefined) return compilation.fault('step_kind_unknown', path, message)
  const kinds = stepKinds.map(({ key }) => key)
  const near = hint(stranger, kinds)
  const told = `\`${stranger}\` is not a kind of step${near === '' ? `; ${kindList}` : near}`
  compilation.fault('step_kind_unknown', [...path, stranger], told, 'key', misspelling(stranger, kinds).misspelt)
}

/** The error that refuses a playbook with these findings. */
export function refusal(file: string, findings: readonly Finding[]): TocsinError {
  const [first] = findings
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : ''
  const message = `${file}:${first?.line}:${first?.column}: ${first?.field}: ${first?.message}${more}`
  return new TocsinError('playbook_invalid', message, findings.map(placeOfFinding))
}
