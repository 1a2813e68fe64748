import type { Json, TimelineBody } from '../../domain/index.ts'
import type { DocumentPath } from '../../yaml/index.ts'
import { stepAddress } from '../plan-steps.ts'
import { type Difference, differences, isSubset } from '../subset.ts'
import type { Rehearsed, RehearsedCall } from '../types.ts'
import { isAt } from './answers.ts'
import type { CallDocument, ExpectationDocument, FindingDocument, Told } from './grammar.ts'

/** A difference from what a test expects. */
export interface Mismatch {
  /** The place of the expectation in the test file. */
  readonly path: DocumentPath
  readonly message: string
  readonly differences: readonly Difference[]
}

/** The expectations that say how a run ends. Without any of them, a test expects that the run does not fail. */
const endings = ['outcome', 'reason', 'error', 'failed_step'] as const

/**
 * Returns what differs from the expectation. Empty if nothing does.
 *
 * @param path the place of the expectation in the test file
 */
export function mismatches(expected: ExpectationDocument, rehearsed: Rehearsed, path: DocumentPath): readonly Mismatch[] {
  const found: Mismatch[] = []
  const tell = (at: DocumentPath, message: string, details: readonly Difference[] = []): void => {
    found.push({ path: [...path, ...at], message, differences: details })
  }
  const equal = (at: DocumentPath, what: string, wanted: Json | undefined, actual: Json): void => {
    if (wanted !== undefined && wanted !== actual) tell(at, what, [{ path: [], expected: wanted, actual }])
  }
  const words = (at: DocumentPath, what: string, wanted: Told | undefined, actual: string | null): void => {
    if (wanted === undefined) return
    const fits = typeof wanted === 'string' ? wanted === actual : (actual ?? '').includes(wanted.contains)
    if (!fits) tell(at, what, [{ path: [], expected: wanted, actual }])
  }

  const { outcome, failure } = rehearsed
  const why = failure === null ? '' : `: ${failure.code}: ${failure.message}${failure.step === null ? '' : ` (at ${failure.step})`}`
  if (expected.outcome !== undefined && expected.outcome !== outcome) {
    tell(['outcome'], `the outcome differs${why}`, [{ path: [], expected: expected.outcome, actual: outcome }])
  }
  if (outcome === 'failed' && !endings.some((key) => expected[key] !== undefined)) {
    const code = failure?.code ?? 'run_stopped'
    tell([], `the run fails${why}; if the test is about that, expect \`error: ${code}\``)
  }
  words(['reason'], 'the reason differs', expected.reason, rehearsed.reason)
  equal(['error'], failure === null ? 'the run has no error' : `the error differs: ${failure.message}`, expected.error, failure?.code ?? null)
  const { failed_step } = expected
  if (failed_step !== undefined && !isAt(failed_step, failure?.step ?? ''))
    tell(['failed_step'], 'the run fails at another step', [{ path: [], expected: failed_step, actual: failure?.step ?? null }])
  checkCalls(expected, rehearsed, tell)
  const { in_doubt, decisions } = expected
  if (in_doubt !== undefined) checkSteps('in_doubt', 'the writes in doubt differ', in_doubt, rehearsed.inDoubt, tell)
  if (decisions !== undefined) {
    const asked = rehearsed.decisions.map(({ step }) => stepAddress(step))
    checkSteps('decisions', 'the decisions differ', decisions, asked, tell)
  }
  checkCase(expected, rehearsed, tell, equal, words)
  if (expected.vars !== undefined) {
    const different = differences(expected.vars, rehearsed.vars)
    if (different.length > 0) tell(['vars'], 'vars differ', different)
  }
  if (expected.outputs !== undefined) {
    const different = differences(expected.outputs, rehearsed.outputs)
    if (different.length > 0) tell(['outputs'], 'the outputs differ', different)
  }
  words(['verdict'], 'the verdict differs', expected.verdict, rehearsed.case.summary)
  return found
}

type Say = (at: DocumentPath, message: string, details?: readonly Difference[]) => void

function checkCalls({ calls = [], calls_in_order, not_called = [] }: ExpectationDocument, { calls: made }: Rehearsed, tell: Say): void {
  let from = 0
  for (const [index, wanted] of calls.entries()) {
    const { times } = wanted
    const count = made.filter((call) => isWanted(wanted, call)).length
    if (times === undefined ? count === 0 : count !== times) {
      const often = times === undefined ? 'is not called' : `is called ${timesText(count)} instead of ${timesText(times)}`
      tell(['calls', index], `${nameOf(wanted)} ${often}${withText(wanted)}`, nearMisses(wanted, made))
      continue
    }
    if (!calls_in_order || times === 0) continue
    const at = made.findIndex((call, position) => position >= from && isWanted(wanted, call))
    if (at === -1) tell(['calls', index], `${nameOf(wanted)} is called, but not after the call listed before it`)
    else from = at + 1
  }
  for (const [index, skill] of not_called.entries()) {
    const first = made.find((call) => call.skill === skill)
    if (first) tell(['not_called', index], `${skill} is called at ${first.step} with ${JSON.stringify(first.input)}`)
  }
}

function timesText(times: number): string {
  return times === 1 ? 'once' : `${times} times`
}

function nameOf({ skill, step }: CallDocument): string {
  return skill === undefined ? `the step ${step}` : step === undefined ? skill : `${skill} at ${step}`
}

function withText({ with: input }: CallDocument): string {
  return input === undefined ? '' : ` with ${JSON.stringify(input)}`
}

function isOf({ skill, step, connection }: CallDocument, call: RehearsedCall): boolean {
  return (
    (skill === undefined || skill === call.skill) &&
    (step === undefined || isAt(step, call.step)) &&
    (connection === undefined || connection === call.connection)
  )
}

function isWanted(wanted: CallDocument, call: RehearsedCall): boolean {
  return isOf(wanted, call) && (wanted.with === undefined || isSubset(wanted.with, call.input))
}

/** Returns how the most similar call of the skill differs. */
function nearMisses(wanted: CallDocument, made: Rehearsed['calls']): readonly Difference[] {
  if (wanted.with === undefined) return []
  const ways = made
    .filter((call) => isOf(wanted, call) && !isWanted(wanted, call))
    .map(({ input }) => differences(wanted.with ?? {}, input, ['with']))
  return ways.toSorted((one, other) => one.length - other.length)[0] ?? []
}

/** Checks that every expected step is there, and no others. An id means each iteration of its step. */
function checkSteps(key: string, message: string, wanted: readonly string[], addresses: readonly string[], tell: Say): void {
  const fits =
    wanted.every((step) => addresses.some((address) => isAt(step, address))) &&
    addresses.every((address) => wanted.some((step) => isAt(step, address)))
  if (!fits) tell([key], message, [{ path: [], expected: wanted, actual: addresses }])
}

function checkCase(
  { case: wanted = {} }: ExpectationDocument,
  { case: left, timeline }: Rehearsed,
  tell: Say,
  equal: (at: DocumentPath, what: string, wanted: Json | undefined, actual: Json) => void,
  words: (at: DocumentPath, what: string, wanted: Told | undefined, actual: string | null) => void,
): void {
  for (const key of ['severity', 'status', 'disposition'] as const) equal(['case', key], `the case's ${key} differs`, wanted[key], left[key])
  for (const key of ['title', 'summary'] as const) words(['case', key], `the case's ${key} differs`, wanted[key], left[key])
  const notes = timeline.flatMap(({ body }) => (body.kind === 'note' ? [body.text] : []))
  for (const [index, note] of (wanted.notes ?? []).entries()) {
    if (!notes.some((text) => text.includes(note)))
      tell(['case', 'notes', index], `no note contains this text`, [{ path: [], expected: note, actual: notes }])
  }
  const findings = timeline.flatMap(({ body }) => (body.kind === 'finding' ? [body] : []))
  for (const [index, finding] of (wanted.findings ?? []).entries()) {
    if (!findings.some((one) => isFinding(finding, one)))
      tell(['case', 'findings', index], 'there is no such finding', [
        { path: [], expected: finding, actual: findings.map(({ title, risk }) => ({ title, risk })) },
      ])
  }
  for (const [index, finding] of (wanted.no_findings ?? []).entries()) {
    const found = findings.find((one) => isFinding(finding, one))
    if (found) tell(['case', 'no_findings', index], `there is such a finding: ${found.title}`)
  }
}

function isFinding(wanted: FindingDocument, finding: Extract<TimelineBody, { kind: 'finding' }>): boolean {
  const { title, risk, evidence } = typeof wanted === 'string' ? { title: wanted } : wanted
  return (
    (title === undefined || finding.title.includes(title)) &&
    (risk === undefined || finding.risk === risk) &&
    (evidence === undefined || isSubset(evidence, finding.evidence))
  )
}
