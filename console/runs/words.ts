import type { RunDetailsView, RunStepView, RunWritesView } from '../../runtime/api/index.ts'
import { remedyHere } from '../api/remedies.ts'

type Why = RunStepView['why'][number]
type Part = Why['parts'][number]
type Shown = NonNullable<Part['read'][number]['value']>

const longestValue = 80
const longestRule = 160
/** How many parts of a condition one line names. */
const mostParts = 3

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

/** A value on one line. */
export function valueText(value: Shown, most = longestValue): string {
  return cut(value.beginning === undefined ? (JSON.stringify(value.value) ?? 'nothing') : `${value.beginning}…`, most)
}

interface Tree {
  readonly part: Part
  readonly inner: Tree[]
}

/** Returns the parts of a condition as a tree: inner parts decide the outer ones. */
function treeOf(parts: readonly Part[]): readonly Tree[] {
  const top: Tree[] = []
  const open: Tree[] = []
  for (const part of parts) {
    const node: Tree = { part, inner: [] }
    open.length = part.depth
    ;(open[part.depth - 1]?.inner ?? top).push(node)
    open[part.depth] = node
  }
  return top
}

interface Deciding {
  readonly part: Part
  /** The part that has the values: the part itself, the one that it negates, or its list. */
  readonly values: Part
}

/** Returns the innermost parts that decided the whole condition, as the command line does. */
function deciding({ part, inner }: Tree): readonly Deciding[] {
  const looked = inner.filter(({ part: one }) => one.looked)
  const others = looked.filter(({ part: one }) => one.items === null)
  const list = looked.find(({ part: one }) => one.items !== null)
  if (others.length === 0) return [{ part, values: list?.part ?? part }]
  const [only] = others
  // For `not`, the whole part is clearer: "not inputs.user is false".
  if (only && others.length === 1 && only.inner.length === 0 && only.part.item === null && only.part.holds !== part.holds)
    return [{ part, values: only.part }]
  const same = others.filter(({ part: one }) => one.holds === part.holds)
  return (same.length > 0 ? same : others).flatMap(deciding)
}

/** `inputs.denied >= 5 is false (it is 3)` */
function partText({ part, values: from }: Deciding): string {
  const rule = cut(part.rule, longestRule)
  const of = part.item ? ` for item ${part.item.number} of ${part.item.of}` : ''
  const values = from.read.map(({ path, value }) => ({ path, text: value === null ? 'missing' : valueText(value) }))
  const [only] = values
  if (part.holds !== null && only && values.length === 1 && only.path === part.rule)
    return `${rule} is ${only.text}${of}${only.text === String(part.holds) ? '' : `, which counts as ${part.holds}`}`
  const counted = from.items === null ? [] : [from.items === 1 ? '1 item' : `${from.items} items`]
  const read = only && values.length === 1 && from === part ? [`it is ${only.text}`] : values.map(({ path, text }) => `${path} = ${text}`)
  const all = [...counted, ...read]
  const result = part.holds === null ? (part.error ?? 'could not be evaluated') : `is ${part.holds}`
  return `${rule} ${result}${of}${all.length === 0 ? '' : ` (${all.join(', ')})`}`
}

/** Why a condition has its result, on one line. */
function reasonText({ parts }: Why): string {
  const all = treeOf(parts).flatMap(deciding)
  const rest = all.length - mostParts
  return [...all.slice(0, mostParts).map(partText), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')
}

/** What decided something, on one line. */
export function whyText(why: Why): string {
  const { of, index, holds, text } = why
  switch (of) {
    case 'if':
      return holds === false ? `skipped: ${reasonText(why)}` : reasonText(why)
    case 'case':
      return text === null ? `case ${(index ?? 0) + 1} ${holds ? 'holds' : 'does not hold'}: ${reasonText(why)}` : `took ${text}`
    case 'until':
      return `${holds === null ? '' : holds ? 'it ended: ' : 'not yet: '}${reasonText(why)}`
    case 'test':
      return `${holds === null ? '' : holds ? 'yes: ' : 'no: '}${reasonText(why)}`
    default:
      return text ?? ''
  }
}

/** The reasons of a step that say something: not that its `if` held, nor which cases were passed over. */
export function reasonsOf({ why, state }: RunStepView): readonly string[] {
  return why
    .filter(
      ({ of, holds, text }) =>
        !(of === 'if' && holds === true) && !(of === 'case' && holds === false && text === null) && !(of === 'time' && state === 'done'),
    )
    .map(whyText)
}

type Write = RunWritesView['writes'][number]

/** The name of a write for people: its title, and where it is. */
export function nameOf({ title, skill, node }: Write): string {
  return `${title ?? skill ?? 'a write'} (${node})`
}

/** What became of a write, in words that follow its name. */
export function fateOf({ state, cause, count }: Write, { cancelled, pauses }: Pick<RunDetailsView, 'cancelled' | 'pauses'>): string {
  const many = count > 1 ? `, ${count} times` : ''
  switch (cause) {
    case null:
      return `was done${many}`
    case 'itself':
      return `${ownFates[state ?? 'interrupted']}${many}`
    case 'branch':
      return 'was not called, because the run went another way'
    case 'skipped':
      return 'was not called, because a step around it was skipped'
    case 'no_items':
      return 'was not called, because its loop had no items'
    case 'no_error':
      return 'was not needed: it handles a failure, and there was none'
    case 'stopped':
      return 'was not called, because the playbook stopped before it'
    case 'failed':
      return 'was not called, because an earlier step failed'
    case 'not_yet':
      return pauses.length === 0 ? 'has not been called yet' : 'has not been called yet: a pause holds the run'
    case 'ended':
      return cancelled ? `was not called, because ${cancelled.by} cancelled the run before it` : 'was not called, because the run ended before it'
  }
}

const ownFates: Readonly<Record<RunStepView['state'], string>> = {
  done: 'was done',
  failed: 'failed',
  skipped: 'was skipped',
  waiting: 'waits',
  under_way: 'is being sent',
  in_doubt: 'is in doubt: it was sent, and nobody knows whether it happened',
  interrupted: 'was interrupted, because the run ended first',
}

/** What decided about a write, from one of the steps that decided it. */
export function becauseOf(step: RunStepView): readonly string[] {
  const { decisions, error } = step
  const asked = decisions.flatMap(answersOf)
  const again = decisions.length === 0 ? againText(step) : []
  const failure = error && `${error.code}: ${error.message}${error.remedy === null ? '' : ` ${remedyHere(error.remedy)}`}`
  return [...reasonsOf(step), ...asked, ...again, ...(failure ? [failure] : [])]
}

/** Says that a call is sent again, or later: after a rate limit, for example. */
function againText({ state, kind, attempts }: RunStepView): readonly string[] {
  const code = attempts.at(-1)?.code ?? null
  if (code !== null && (state === 'waiting' || state === 'under_way')) return [`it is sent again: the last try ended with ${code}`]
  return state === 'waiting' && kind === 'skill' ? ['it is sent later'] : []
}

/** What people answered to a decision, or why nobody did. */
function answersOf({ state, title, answers }: RunStepView['decisions'][number]): readonly string[] {
  if (answers.length > 0) return answers.map(({ by, verdict, reason }) => `${by} answered: ${verdict}${reason === null ? '' : ` (${reason})`}`)
  const why = { open: 'it waits for an answer', expired: 'nobody answered in time', withdrawn: 'the run ended before an answer' }[state as string]
  return [`${why ?? state}: “${title}”`]
}

/** How long a run took, or has taken so far: `4.2 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds} ms`
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`
  const minutes = Math.floor(milliseconds / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.floor((milliseconds % 60_000) / 1_000)} s`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** What a run waits for, in words. Null: it does not wait. */
export function waitsFor({ waiting, decisions }: RunDetailsView): string | null {
  if (!waiting) return null
  if (decisions.length > 0) return decisions.length === 1 ? 'It waits for a decision.' : `It waits for ${decisions.length} decisions.`
  return waiting.until === null ? 'It is due to go on.' : 'It waits for a time.'
}

/** The address of a step in the console. */
export function stepAddress(run: string, step: string): string {
  return `/runs/${encodeURIComponent(run)}?step=${encodeURIComponent(step)}`
}
