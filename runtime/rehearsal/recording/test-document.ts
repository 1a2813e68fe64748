import { isDeepStrictEqual } from 'node:util'
import type { Json, Millis } from '../../domain/index.ts'
import { durationText } from '../../formats/index.ts'
import type { Plan } from '../../playbook/index.ts'
import type { Plugin } from '../../plugin/index.ts'
import { slotsOf, stepAddress } from '../plan-steps.ts'
import type { AnswerDocument, DecisionDocument, ExpectationDocument, TestDocument } from '../playbook-test/grammar.ts'
import type { RecordedAnswer, RecordedDecision, Recording } from '../recorded/document.ts'
import type { Rehearsed } from '../types.ts'
import { decisionsByStep, isOver, protectedIn } from './replay-recording.ts'

export type Replace = (value: Json) => Json

/** The fields of the alert that the test contains if the playbook reads them. */
const fields = ['alert_name', 'alert_provider', 'alert_id', 'alert_uuid', 'organization_code', 'created_at', 'created_at_source'] as const

/** How long the first call of each step takes, by the address of the step. */
export type Took = ReadonlyMap<string, Millis>

/**
 * Returns the part of a test before `expect`: what the run was given, with substitutes.
 *
 * @param took how long calls take; null: no time
 */
export function beginningOf(
  recording: Recording,
  { plan, rehearsed }: { readonly plan: Plan; readonly rehearsed: Rehearsed },
  replace: Replace,
  plugins: ReadonlyMap<string, Plugin>,
  took: Took | null,
): Omit<TestDocument, 'name' | 'expect'> {
  const { alert, connections, started_at } = recording
  const text = [recording.playbook, ...recording.playbooks].map((one) => one.text ?? '').join('\n')
  const read = fields.filter((field) => text.includes(`alert.${field}`) || (field === 'organization_code' && text.includes('organization.code')))
  const given = read.flatMap((field) => {
    const value = alert[field]
    return value === null ? [] : [[field, replace(value)] as const]
  })
  const unbound = Object.keys(slotsOf(plan)).filter((slot) => connections[slot] === undefined)
  const type = alert.alert_type === null || plan.types[0] === alert.alert_type.toLowerCase() ? {} : { alert_type: alert.alert_type }
  const decisions = decisionsOf(recording.decisions, replace)
  const kept = protectedIn(recording, plan)
  return {
    now: new Date(started_at).toISOString(),
    alert: {
      content: replace(contentOf(alert.alert_content)) as Extract<TestDocument['alert'], object>['content'],
      ...type,
      ...Object.fromEntries(given),
    },
    ...(unbound.length > 0 && { connections: Object.fromEntries(unbound.map((slot) => [slot, false])) }),
    answers: answersOf(recording, rehearsed, replace, plugins, took),
    ...(kept.length > 0 && {
      protected: kept.map(({ names, skills }) => ({ names: names.map((name) => String(replace(name))), skills: [...(skills ?? [])] })),
    }),
    ...(Object.keys(decisions).length > 0 && { decisions }),
  }
}

/**
 * Returns the JSON of an object or list, so that people can read the test. Returns any other
 * content as text.
 */
export function contentOf(text: string): Json {
  try {
    const value = JSON.parse(text) as Json
    return typeof value === 'object' && value !== null && JSON.stringify(value) === JSON.stringify(JSON.parse(text)) ? value : text
  } catch {
    return text
  }
}

/** Returns the answers by skill. If a skill had different answers, each one names its step. */
function answersOf(
  recording: Recording,
  { calls }: Rehearsed,
  replace: Replace,
  plugins: ReadonlyMap<string, Plugin>,
  took: Took | null,
): NonNullable<TestDocument['answers']> {
  const byStep = new Map(recording.answers.map((answer) => [answer.step, answer]))
  const groups = Map.groupBy(
    calls.filter((call) => call.try === 1),
    ({ skill }) => skill,
  )
  return Object.fromEntries(
    [...groups].map(([skill, made]) => {
      const answers = made.flatMap(({ step }) => {
        const recorded = byStep.get(step)
        if (!recorded) return []
        const time = took?.get(step) ?? 0
        return [{ step, answer: { ...answerOf(recorded, skill, replace, plugins), ...(time > 0 && { after: durationText(time) }) } }]
      })
      const [first] = answers
      const same = first !== undefined && answers.every(({ answer }) => isDeepStrictEqual(answer, first.answer))
      return [skill, same ? first.answer : answers.map(({ step, answer }) => ({ when: { step }, ...answer }))]
    }),
  )
}

function answerOf(recorded: RecordedAnswer, skill: string, replace: Replace, plugins: ReadonlyMap<string, Plugin>): AnswerDocument {
  if (recorded.kind === 'sent') return { lost: 'after' }
  if (recorded.kind === 'failed' && recorded.effect === 'unknown') return { lost: 'after' }
  const made = recorded.output === undefined ? undefined : replace(recorded.output)
  // The output tells which of its items failed.
  if (recorded.kind === 'failed' && (recorded.code !== 'items_failed' || made === undefined))
    return { error: recorded.code, message: String(replace(recorded.message)), effect: recorded.effect }
  const output = made ?? null
  const [integration = '', id = ''] = skill.split('.')
  // The plugin may have changed since, and may not allow this output any more.
  const fits = plugins.get(integration)?.skills.get(id)?.checkOutput(output).length === 0
  return { output, ...(!fits && { strict: false }) }
}

function decisionsOf(
  decisions: readonly RecordedDecision[],
  replace: Replace,
): Readonly<Record<string, DecisionDocument | readonly DecisionDocument[]>> {
  return Object.fromEntries(
    [...decisionsByStep(decisions)].flatMap(([step, own]) => {
      const documents = own.flatMap((decision) => decisionOf(decision, replace) ?? [])
      const [only] = documents
      return only ? [[step, documents.length === 1 ? only : documents]] : []
    }),
  )
}

/** Leaves out who answered. In a test, anybody who may answer does. */
function decisionOf({ state, answers }: RecordedDecision, replace: Replace): DecisionDocument | null {
  if (state === 'expired') return { expire: true }
  const last = answers.at(-1)
  if (!last || state === 'open' || state === 'withdrawn') return null
  const reason = last.reason === null ? {} : { reason: String(replace(last.reason)) }
  switch (last.verdict) {
    case 'approve':
    case 'decline':
      return { approve: last.verdict === 'approve', ...reason }
    case 'happened':
      return { doubt: 'happened', output: replace(last.output), ...reason }
    default:
      return { doubt: last.verdict, ...reason }
  }
}

/** Returns what a test of this run expects. */
export function expectationOf(rehearsed: Rehearsed, recording: Recording): ExpectationDocument {
  const { outcome, reason, failure, calls, inDoubt, decisions, case: left } = rehearsed
  const writes = calls.filter((call) => call.impact !== 'read' && call.try === 1)
  return {
    ...(outcome !== 'unanswered' && { outcome }),
    ...(reason !== null && { reason }),
    ...(failure !== null && { error: failure.code, ...(failure.step !== null && { failed_step: failure.step }) }),
    ...(writes.length > 0 && {
      calls: writes.map(({ step, skill, input }) => ({
        step,
        skill,
        with: input as Readonly<Record<string, Json>>,
        times: calls.filter((call) => call.step === step).length,
      })),
    }),
    ...(inDoubt.length > 0 && { in_doubt: [...inDoubt] }),
    ...(decisions.length > 0 && { decisions: decisions.map(({ step }) => stepAddress(step)) }),
    ...(isOver(recording) && { case: { severity: left.severity, status: left.status, disposition: left.disposition } }),
  }
}
