import { isObject, type Json, normaliseType } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { atOnce, type Pausing } from '../../fairness/index.ts'
import { parseDuration } from '../../formats/index.ts'
import { digestOf, type Fault, faultsOf, parseYaml, type YamlDocument } from '../../yaml/index.ts'
import { type Finding, inOrder, placeOfFinding } from '../findings/index.ts'
import { checkPlaybook, type PlaybookDocument } from '../grammar/index.ts'
import { playbookLimits } from '../limits.ts'
import type { Plan, PlanDuplicates, PlanInput, PlanJoin } from '../plan.ts'
import { checkApprovals } from './approvals.ts'
import type { CompilerCode } from './codes/index.ts'
import { Compilation, Enough } from './compilation.ts'
import { checkIds, checkSub, isSub, namesOf, noteFault } from './document.ts'
import { compileInput } from './inputs/index.ts'
import { limitsOf } from './limits.ts'
import type { SkillLookup } from './lookup.ts'
import { keysOf, openingScope, stepScope } from './names/index.ts'
import { checkSize } from './size.ts'
import { checkSlots, declaredSlots } from './slots.ts'
import { compileSteps } from './steps.ts'

export { type KnownPlaybook, type KnownSkill, noPlaybooks, type PlaybookSource, type SkillLookup } from './lookup.ts'

/**
 * Compiles the YAML of a playbook to an immutable plan. If it has errors, reports all of them at once.
 * @param file the file's name, for messages
 * @throws TocsinError `yaml_invalid`, `yaml_too_large`; `playbook_invalid` with the line and column of each place
 */
export function compilePlaybook(text: string, file: string, lookup: SkillLookup): Plan {
  return compilePlaybookWithin(text, file, lookup, [])
}

/** Like `compilePlaybook`, for a playbook that other playbooks run. @param within the names of those playbooks, outermost first */
export function compilePlaybookWithin(text: string, file: string, lookup: SkillLookup, within: readonly string[]): Plan {
  const { plan, findings } = examinePlaybook(parseYaml(text, file, playbookLimits), lookup, within)
  if (plan === null) throw refusal(file, findings)
  return plan
}

/** A playbook's plan, or the findings that keep it from compiling, in the order of the file. */
export interface Examined {
  readonly plan: Plan | null
  /** The plan, even if loops have no bound (then their `maxItems` is infinite). It is enough to say what a run can do. Null if there are other errors. */
  readonly sketch: Plan | null
  readonly findings: readonly Finding<CompilerCode>[]
}

/**
 * Compiles a document like `compilePlaybook`, but returns the findings, with their fixes.
 * @param within if it is compiled as part of others: the playbooks that run it, outermost first
 */
export function examinePlaybook(document: YamlDocument, lookup: SkillLookup, within: readonly string[] = []): Examined {
  return atOnce(examiningPlaybook(document, lookup, within))
}

/** Like `examinePlaybook`, as a generator. It yields between steps, so that the caller can let other work run. */
export function* examiningPlaybook(document: YamlDocument, lookup: SkillLookup, within: readonly string[] = []): Pausing<Examined> {
  const faults = faultsOf(checkPlaybook, document.value)
  const root: Readonly<Record<string, Json>> = isObject(document.value) ? document.value : {}
  const slots = declaredSlots(root['connections'])
  const name = typeof root['playbook'] === 'string' ? root['playbook'] : ''
  const compilation = new Compilation(document, lookup, namesOf(root, slots), slots, faults, [...within, name])
  try {
    checkSize(compilation, root)
    return yield* compile(compilation, root, faults)
  } catch (error) {
    if (!(error instanceof Enough)) throw error
    return { plan: null, sketch: null, findings: inOrder(compilation.findings) }
  }
}

function* compile(compilation: Compilation, root: Readonly<Record<string, Json>>, faults: readonly Fault[]): Pausing<Examined> {
  const { document, slots } = compilation
  const sub = isSub(root)
  for (const fault of faults) noteFault(compilation, fault)
  checkSlots(compilation)
  checkIds(compilation, root)
  if (sub) checkSub(compilation, root)

  const playbook = root as unknown as PlaybookDocument
  const inputs: PlanInput[] = []
  for (const name of keysOf(root['inputs'])) {
    const input = playbook.inputs?.[name]
    if (input !== undefined && compilation.fits(['inputs', name])) inputs.push(compileInput(compilation, name, input, sub))
  }
  const title = compilation.fits(['case']) ? playbook.case?.title : undefined
  const opening = title === undefined ? null : compilation.value(title, ['case', 'title'], openingScope())
  const join = joinOf(compilation, playbook)
  const duplicates = duplicatesOf(compilation, playbook)
  const { steps, before } = yield* compileSteps(compilation, root['steps'], ['steps'], stepScope())
  checkApprovals(compilation, root['steps'])
  const summary = compilation.fits(['verdict']) ? playbook.verdict?.summary : undefined
  const verdict = summary === undefined ? null : compilation.value(summary, ['verdict', 'summary'], stepScope(before))
  const outputs =
    playbook.outputs !== undefined && compilation.fits(['outputs']) ? compilation.value(playbook.outputs, ['outputs'], stepScope(before)) : null
  const findings = inOrder(compilation.findings)
  if (findings.some(({ code }) => code !== 'loop_unbounded')) return { plan: null, sketch: null, findings }

  const sketch: Plan = {
    name: playbook.playbook,
    digest: digestOf(document.text),
    types: [...new Set([playbook.alert_type ?? []].flat().map(normaliseType))],
    description: playbook.description ?? '',
    inputs,
    slots: Object.fromEntries(slots),
    limits: limitsOf(playbook),
    case: { title: opening, severity: playbook.case?.severity ?? 'unassigned', join },
    duplicates,
    steps,
    verdict,
    outputs,
    playbooks: Object.fromEntries(compilation.playbooks),
  }
  return { plan: findings.length === 0 ? sketch : null, sketch, findings }
}

function joinOf(compilation: Compilation, { case: opening }: PlaybookDocument): PlanJoin | null {
  if (!compilation.fits(['case']) || opening?.join === undefined) return null
  const { key, within } = opening.join
  return { key: compilation.value(key, ['case', 'join', 'key'], openingScope()), within: parseDuration(within) }
}

function duplicatesOf(compilation: Compilation, { duplicates }: PlaybookDocument): PlanDuplicates | null {
  if (!compilation.fits(['duplicates']) || duplicates === undefined) return null
  const { fingerprint, within } = duplicates
  return { fingerprint: compilation.value(fingerprint, ['duplicates', 'fingerprint'], openingScope()), within: parseDuration(within) }
}

/** Returns the error that refuses a playbook with these findings. */
export function refusal(file: string, findings: readonly Finding[]): TocsinError {
  const [first] = findings
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : ''
  const message = `${file}:${first?.line}:${first?.column}: ${first?.field}: ${first?.message}${more}`
  return new TocsinError('playbook_invalid', message, findings.map(placeOfFinding))
}
