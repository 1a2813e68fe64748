import type { ReadCalls } from '../connection/index.ts'
import { type AlertFetch, type Clock, cutText, type Millis, newFetchState } from '../domain/index.ts'
import { isTocsinError } from '../errors/index.ts'
import { compileInput } from './input.ts'
import { itemsIn } from './items.ts'
import { readItem } from './submit.ts'
import type { Trial } from './types.ts'
import { nextWindow } from './window.ts'

export interface TrialDeps {
  readonly calls: ReadCalls
  readonly clock: Clock
}

type Tried = Pick<AlertFetch, 'organization' | 'connection' | 'skill' | 'input' | 'reading' | 'overlap'> & { readonly since: Millis }

/** The most items that are shown, and the most characters of each. */
const [mostShown, longestShown] = [20, 2_000]
const none: Omit<Trial, 'failure'> = { found: 0, alerts: [], warnings: [] }

/** Makes one attempt without storing anything. */
export async function trialOf({ calls, clock }: TrialDeps, tried: Tried, signal: AbortSignal): Promise<Trial> {
  const { organization, connection, skill, reading } = tried
  const input = compileInput(tried.input)
  try {
    const window = nextWindow(tried, newFetchState(tried.since), clock.now(), input.bounded)
    const result = await calls.call({ organization, connection, skill, input: input.render(window), signal })
    if (!result.ok) {
      const { code, message, remedy } = result.failure
      return { ...none, failure: { code, message, remedy } }
    }
    const found = itemsIn(result.output, reading.items)
    if (!found.ok) return { ...none, failure: found.failure }
    const read = found.items.slice(0, mostShown).map((item) => readItem(tried, item))
    const alerts = read.map(({ content, type, id, createdAtSource }) => ({ content: cutText(content, longestShown), type, id, createdAtSource }))
    return { found: found.items.length, alerts, warnings: warningsOf(tried, found.cut, alerts), failure: null }
  } catch (error) {
    if (!isTocsinError(error)) throw error
    return { ...none, failure: { code: error.code, message: error.message, remedy: error.remedy } }
  }
}

function warningsOf({ reading }: Tried, cut: boolean, alerts: Trial['alerts']): string[] {
  const warnings: string[] = []
  const without = (has: (alert: Trial['alerts'][number]) => boolean): number => alerts.filter((alert) => !has(alert)).length
  const untyped = without(({ type }) => type !== null)
  const unnamed = without(({ id }) => id !== null)
  const timeless = reading.createdAt === null ? 0 : without(({ createdAtSource }) => createdAtSource !== null)
  if (untyped > 0) warnings.push(`${untyped} of ${alerts.length} items have no type, so Tocsin would not investigate them. Give alert_type.`)
  if (unnamed > 0)
    warnings.push(
      `${unnamed} of ${alerts.length} items have no id at ${reading.idAt ?? 'any place'}. If such an item changes, it becomes another alert.`,
    )
  const ids = alerts.flatMap(({ id }) => id ?? [])
  const doubled = ids.length - new Set(ids).size
  if (doubled > 0)
    warnings.push(`${doubled} of ${alerts.length} items have the same id at ${reading.idAt} as another one. Only one of them becomes an alert.`)
  if (timeless > 0) warnings.push(`${timeless} of ${alerts.length} items have no time at ${reading.createdAt}.`)
  if (cut) warnings.push('The skill stopped at its limit: there are more items. Raise the limit in the input, or read `until`.')
  return warnings
}
