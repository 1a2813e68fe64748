import type { Answer } from '../client.ts'
import { bold, clipped, dim, listOf, plain } from '../print.ts'

const widestValue = 70
const widestRule = 140
/** How many parts of a condition one line names. */
const mostParts = 3

/** Puts a value on one line. Marks it if the API or the width cut it. */
export function valueText(value: unknown, width = widestValue): string {
  const { beginning, value: whole } = value as Answer
  return clipped(beginning === undefined ? JSON.stringify(whole) : `${plain(beginning)}…`, width)
}

/** Returns the result of a part of a condition. @param error the reason if it has no result */
export function answerText(holds: unknown, error: unknown): string {
  return holds === null ? errorText(error) : holds ? 'yes' : 'no'
}

interface Part {
  readonly part: Answer
  readonly inner: Part[]
}

/** Returns the parts of a condition as a tree: inner parts decide the outer ones. */
function treeOf(parts: readonly Answer[]): readonly Part[] {
  const top: Part[] = []
  const open: Part[] = []
  for (const part of parts) {
    const node: Part = { part, inner: [] }
    const depth = Number(part['depth'])
    open.length = depth
    ;(open[depth - 1]?.inner ?? top).push(node)
    open[depth] = node
  }
  return top
}

/** Returns the innermost parts that decided the whole condition. */
function deciding({ part, inner }: Part): readonly Deciding[] {
  const looked = inner.filter(({ part: one }) => one['looked'])
  const lists = looked.filter(({ part: one }) => one['items'] !== null).map(({ part: one }) => one)
  const others = looked.filter(({ part: one }) => one['items'] === null)
  // If no single item of a list decided, all of them did.
  if (others.length === 0) return [{ part, values: lists[0] ?? part }]
  const [only] = others
  // For `not`, show the whole part: "skipped: not inputs.user is false" is clear, but "skipped: inputs.user is true" is not.
  if (only && others.length === 1 && only.inner.length === 0 && only.part['item'] === null && only.part['holds'] !== part['holds'])
    return [{ part, values: only.part }]
  const same = others.filter(({ part: one }) => one['holds'] === part['holds'])
  return (same.length > 0 ? same : others).flatMap(deciding)
}

interface Deciding {
  readonly part: Answer
  /** The part that has the values: the part itself, the one that it negates, or its list. */
  readonly values: Answer
}

/** `inputs.denied >= 5 is false (it is 3)` */
function partText({ part, values: from }: Deciding): string {
  const { rule, holds, error, item } = part as Answer & { readonly item: Answer | null }
  const values = listOf(from['read']).map(({ path, value }) => ({ path: plain(path), text: value === null ? 'missing' : valueText(value) }))
  const of = item ? ` for item ${plain(item['number'])} of ${plain(item['of'])}` : ''
  const [only] = values
  const shown = clipped(rule, widestRule)
  if (holds === null) return `${shown} ${errorText(error)}${of}${dim(readText(part === from, from, values))}`
  // A condition that is only a value: `connections.idp.bound is true` says it all.
  if (only && values.length === 1 && only.path === rule)
    return `${shown} is ${only.text}${of}${only.text === String(holds) ? '' : `, which counts as ${holds}`}`
  return `${shown} is ${holds ? 'true' : 'false'}${of}${dim(readText(part === from, from, values))}`
}

/** Why a condition has no result. */
function errorText(error: unknown): string {
  return error ? plain(error) : 'could not be evaluated'
}

/** @param own the shown part read the values itself, so a single value needs no name */
function readText(own: boolean, { items }: Answer, values: readonly { readonly path: string; readonly text: string }[]): string {
  const counted = items === null ? [] : [items === 1 ? '1 item' : `${plain(items)} items`]
  const [only] = values
  const read = values.length === 1 && only && own ? [`it is ${only.text}`] : values.map(({ path, text }) => `${path} = ${text}`)
  const all = [...counted, ...read]
  return all.length === 0 ? '' : ` (${all.join(', ')})`
}

/** Why a condition has its result, on one line. */
function reasonText(why: Answer): string {
  const parts = treeOf(listOf(why['parts'])).flatMap(deciding)
  const rest = parts.length - mostParts
  return [...parts.slice(0, mostParts).map(partText), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')
}

/** Why a step was done or skipped, on one line. */
function whyText(why: Answer): string {
  const { of, index, holds, text } = why
  const reason = reasonText(why)
  switch (of) {
    case 'if':
      return reason
    case 'case':
      return `took ${text === null ? `case ${Number(index) + 1}: ${reason}` : plain(text)}`
    case 'until':
      return `${holds === null ? '' : holds ? 'its `until` is true: ' : 'its `until` is false: '}${reason}`
    case 'test':
      return `${holds === null ? '' : holds ? 'yes: ' : 'no: '}${reason}`
    default:
      return plain(text)
  }
}

/** Returns the state of a decision, and what people answered. */
export function askedText({ state, answers, id }: Answer): string {
  if (state === 'open') return `${bold('waits for people')} · tocsin decision show ${plain(id)}`
  const given = listOf(answers)
  if (given.length === 0) return plain(state)
  const reasons = given.flatMap(({ reason }) => (reason ? [plain(reason)] : []))
  const said = state === 'approved' || state === 'declined' ? plain(state) : `${plain(state)}: ${plain(given.at(-1)?.['verdict'])}`
  return `${said} by ${given.map(({ by }) => plain(by)).join(', ')}${reasons.length > 0 ? `: ${reasons.join('; ')}` : ''}`
}

const stateWords: Readonly<Record<string, string>> = {
  under_way: 'under way',
  in_doubt: 'IN DOUBT: sent, outcome unknown',
  interrupted: 'not finished: the run ended first',
}

/** Returns the state of a step, without the reason. */
export function standingText({ state, error, handled, tries }: Answer): string {
  const often = Number(tries) > 1 ? ` after ${plain(tries)} tries` : ''
  if (error) return `${bold(`FAILED${often}`)}${handled ? dim(' (handled by on_error)') : ''}`
  return state === 'done' ? `done${often}` : bold(stateWords[String(state)] ?? plain(state))
}

const decides: ReadonlySet<string> = new Set(['if', 'switch', 'approve'])

/** Returns the state of a step and the reason for it, on one line. */
export function outcomeText(step: Answer): string {
  const { state, error, address } = step as Answer & { readonly error: Answer | null }
  const whys = listOf(step['why']).filter(
    ({ of, holds, text }) =>
      !(of === 'if' && holds === true) && !(of === 'case' && holds === false && text === null) && !(of === 'time' && state === 'done'),
  )
  const reasons = whys.map(whyText)
  // Further below, the step that raised the error shows what happened.
  if (error?.['step'] && error['step'] !== address) return `${standingText(step)}: ${bold(plain(error['code']))} at ${plain(error['step'])}`
  if (error) return `${standingText(step)}: ${bold(plain(error['code']))}: ${clipped(error['message'], 200)}`
  if (state === 'skipped') return [bold('skipped'), ...reasons].join(': ')
  const asked = listOf(step['decisions'])
  const said = [...reasons, ...asked.map(askedText)]
  // A decision's result, or "waits for people", already implies the state.
  const clear = state === 'done' ? decides.has(String(step['kind'])) : asked.some((one) => one['state'] === 'open')
  return [...(clear && said.length > 0 ? [] : [standingText(step)]), ...said].join(' · ')
}

/** What a step does, shown after its name. */
export function whatText({ kind, skill, target, connection }: Answer): string {
  if (!skill) return dim(plain(kind))
  return `${plain(skill)}${target ? ` on ${bold(plain(target))}` : ''}${connection ? dim(` via ${plain(connection)}`) : ''}`
}
