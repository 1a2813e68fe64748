import { type Json, type Millis, timeText } from '../domain/index.ts'
import type { StepView } from '../engine/index.ts'
import { isTocsinError } from '../errors/index.ts'
import { type Condition, type Context, explainCondition, type ValueTemplate, type WorkBudget } from '../expressions/index.ts'
import { durationText } from '../formats/index.ts'
import type { PlanStep } from '../playbook/index.ts'
import { shownOf } from './shown.ts'
import type { Why } from './types.ts'

/** The most characters that are shown of a value that a condition read. */
const longestRead = 300

type Step<K extends PlanStep['kind']> = Extract<PlanStep, { kind: K }>

/** Returns the decisions that are made when a step is reached, from the values at that time. */
export function whyEntered(step: PlanStep, { context }: StepView, work: WorkBudget): Why[] {
  const guard = step.condition ? [explained('if', null, step.condition, context, work)] : []
  if (guard.some(({ holds }) => holds === false)) return guard
  return [...guard, ...whyOwn(step, context, work)]
}

function whyOwn(step: PlanStep, context: Context, work: WorkBudget): Why[] {
  switch (step.kind) {
    case 'if':
      return [explained('test', null, step.test, context, work)]
    case 'switch':
      return whyCases(step, context, work)
    case 'foreach':
      return [said('items', itemsText(step, context, work))]
    default:
      return []
  }
}

/**
 * Returns how long a wait step waits.
 * @param until the end of the wait in the journal; null: the wait has not begun
 */
export function whyWaits({ wait }: Step<'wait'>, until: Millis | null): Why[] {
  const end = until === null ? [] : [`until ${timeText(until)}`]
  const spans = {
    for: () => [`for ${durationText(wait.kind === 'for' ? wait.duration : 0)}`],
    until: () => [],
    poll: () => (wait.kind === 'poll' ? [`every ${durationText(wait.every)}`, `for ${durationText(wait.atMost)} at most`] : []),
  }[wait.kind]()
  const text = [...spans, ...end].join(', ')
  return text === '' ? [] : [said('time', text)]
}

/** Returns the decisions about each case of a `switch`, up to the one that was taken. */
function whyCases({ cases }: Step<'switch'>, context: Context, work: WorkBudget): Why[] {
  const whys: Why[] = []
  for (const [index, { when }] of cases.entries()) {
    if (when === null) return [...whys, { of: 'case', index, holds: true, parts: [], text: 'the default' }]
    const why = explained('case', index, when, context, work)
    whys.push(why)
    if (why.holds !== false) return whys
  }
  return whys
}

function itemsText({ items, maxItems }: Step<'foreach'>, context: Context, work: WorkBudget): string {
  const value = rendered(items, context, work)
  return Array.isArray(value) ? `${value.length} ${value.length === 1 ? 'item' : 'items'}, at most ${maxItems} allowed` : 'its input is not a list'
}

/** Explains why an answer ended a poll, or did not. Empty if the step does not poll. */
export function whyPolled({ wait }: Step<'wait'>, context: Context, output: Json, work: WorkBudget): Why[] {
  return wait.kind === 'poll' ? [explained('until', null, wait.until, { ...context, output }, work)] : []
}

export function whyLeftOut(why: string): Why {
  return said('left_out', why)
}

function said(of: Why['of'], text: string): Why {
  return { of, index: null, holds: null, parts: [], text }
}

function explained(of: Why['of'], index: number | null, { source }: Condition, context: Context, work: WorkBudget): Why {
  const parts = explainCondition(source, context, work).map(({ read, ...part }) => ({
    ...part,
    read: read.map(({ path, value }) => ({ path, value: shownOf(value, longestRead) })),
  }))
  return { of, index, holds: parts[0]?.holds ?? null, parts, text: null }
}

/**
 * Returns the input of a step. Undefined: it has none, or its templates cannot be rendered. In that case the
 * step has failed with that error.
 */
export function inputOf(step: PlanStep, { context }: StepView, work: WorkBudget): Json | undefined {
  switch (step.kind) {
    case 'skill':
    case 'script':
    case 'playbook':
      return rendered(step.with, context, work) ?? {}
    case 'foreach':
      return rendered(step.items, context, work)
    case 'case':
      return caseInput(step, context, work)
    case 'stop':
      return step.reason ? rendered(step.reason, context, work) : undefined
    case 'wait':
      return step.wait.kind === 'until'
        ? rendered(step.wait.time, context, work)
        : step.wait.kind === 'poll'
          ? rendered(step.wait.poll.with, context, work)
          : undefined
    case 'approve':
      return approveInput(step, context, work)
    default:
      return undefined
  }
}

function caseInput({ note, finding, severity, disposition, status }: Step<'case'>, context: Context, work: WorkBudget): Json {
  const said = { note: note && rendered(note, context, work), finding: finding && rendered(finding, context, work) }
  const all = { ...said, severity, disposition, status }
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, Json] => entry[1] !== null && entry[1] !== undefined))
}

function approveInput({ title, by, covered }: Step<'approve'>, context: Context, work: WorkBudget): Json {
  const calls = covered.map((call) => ({ skill: `${call.integration}.${call.skill}`, with: rendered(call.with, context, work) ?? {} }))
  return { title: rendered(title, context, work) ?? null, by: [...by], covers: calls }
}

/** Renders a template. Undefined: it cannot be rendered. The step has then failed with that error. */
function rendered(template: ValueTemplate, context: Context, work: WorkBudget): Json | undefined {
  try {
    return template.render(context, work)
  } catch (error) {
    if (isTocsinError(error)) return undefined
    throw error
  }
}
