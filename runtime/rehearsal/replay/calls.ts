import type { Json } from '../../domain/index.ts'
import { type Plugin, targetsOf } from '../../plugin/index.ts'
import type { Rehearsed, RehearsedCall } from '../types.ts'

/** A call whose input or connection changed. `before` is the original call. */
export interface ChangedCall extends RehearsedCall {
  readonly before: RehearsedCall
}

export interface CallDifferences {
  readonly added: readonly RehearsedCall[]
  readonly removed: readonly RehearsedCall[]
  readonly changed: readonly ChangedCall[]
}

/** Returns JSON with sorted keys. Equal values give the same text. */
export function canonical(value: Json): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}

/** Returns the writes of a rehearsal, each once, without retries. */
export function writesOf({ calls }: Pick<Rehearsed, 'calls'>): readonly RehearsedCall[] {
  return calls.flatMap(({ try: number, ...call }) => (number === 1 && call.impact !== 'read' ? [call] : []))
}

/**
 * Returns which calls were added, removed or changed, in any order. Calls with the same skill,
 * connection and input are the same. Of the others, a pair with the same skill and target has
 * changed.
 */
export function differencesOf(
  before: readonly RehearsedCall[],
  after: readonly RehearsedCall[],
  plugins: ReadonlyMap<string, Plugin>,
): CallDifferences {
  const { left, right } = withoutPairs(before, after, ({ skill, connection, input }) => canonical([skill, connection, input]))
  const changed: ChangedCall[] = []
  const removed: RehearsedCall[] = []
  const added = [...right]
  for (const call of left) {
    const key = targetKey(call, plugins)
    const fitting = added.filter((other) => targetKey(other, plugins) === key)
    const other = fitting.find(({ step }) => step === call.step) ?? fitting[0]
    if (other) {
      added.splice(added.indexOf(other), 1)
      changed.push({ ...other, before: call })
    } else removed.push(call)
  }
  return { added, removed, changed }
}

function withoutPairs<T>(
  left: readonly T[],
  right: readonly T[],
  keyOf: (one: T) => string,
): { readonly left: readonly T[]; readonly right: readonly T[] } {
  const there = Map.groupBy(right, keyOf)
  const alone = left.filter((one) => {
    const pair = there.get(keyOf(one))?.shift()
    return pair === undefined
  })
  const rest = new Set([...there.values()].flat())
  return { left: alone, right: right.filter((one) => rest.has(one)) }
}

/**
 * Returns what a call acts on, with its skill. For a skill without a target, all calls act on the
 * same thing.
 */
function targetKey({ skill, input }: RehearsedCall, plugins: ReadonlyMap<string, Plugin>): string {
  const [integration = '', id = ''] = skill.split('.')
  const found = plugins.get(integration)?.skills.get(id)
  return canonical([skill, found ? [...targetsOf(found, input)] : []])
}
