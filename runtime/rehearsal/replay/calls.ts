import type { Json } from '../../domain/index.ts'
import { type Plugin, targetsOf } from '../../plugin/index.ts'
import type { Rehearsed, RehearsedCall } from '../types.ts'

/** A call whose input or connection became another; what it was before is in `before`. */
export interface ChangedCall extends RehearsedCall {
  readonly before: RehearsedCall
}

export interface CallDifferences {
  readonly added: readonly RehearsedCall[]
  readonly removed: readonly RehearsedCall[]
  readonly changed: readonly ChangedCall[]
}

/** JSON with the members of objects in order: the same for the same value. */
export function canonical(value: Json): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}

/** The writes of a rehearsal, each once however often it was tried. */
export function writesOf({ calls }: Pick<Rehearsed, 'calls'>): readonly RehearsedCall[] {
  return calls.flatMap(({ try: number, ...call }) => (number === 1 && call.impact !== 'read' ? [call] : []))
}

/**
 * Which calls appear, vanish or change, whatever their order: those with the same skill, connection and input are the same, as often as
 * they are on both sides; of the others those with the same skill and target changed.
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

/** What a call acts on, within its skill. A skill without a target acts on one thing. */
function targetKey({ skill, input }: RehearsedCall, plugins: ReadonlyMap<string, Plugin>): string {
  const [integration = '', id = ''] = skill.split('.')
  const found = plugins.get(integration)?.skills.get(id)
  return canonical([skill, found ? [...targetsOf(found, input)] : []])
}
