import { type ItemResult, itemResults, type Judge, unwrapped } from './items.ts'
import { type Fields, reasonIn, textOf, verdictOf } from './verdict.ts'

/** The result of a request that marks messages. */
export interface Marked {
  /** The platform's status of the whole request. */
  readonly status: string | null
  /** The messages that were marked. Null if the platform does not say which. */
  readonly message_ids: readonly string[] | null
  /** One for each message, in the given order. Absent: the platform says nothing about single messages. */
  readonly results?: readonly ItemResult[]
}

const telling = ['status', 'state', 'result', 'outcome', 'success', 'succeeded', 'ok', 'accepted']

/** An entry without any status or error counts as done. */
const named: Judge = (entry) =>
  telling.every((name) => entry[name] === undefined || entry[name] === null) && reasonIn(entry) === null && verdictOf(entry) !== 'failed'
    ? done
    : null
const done = { status: 'done', error: null } as const

/** @param sensitive the requested value of `sensitive`, if the request sets it */
export function marked(ids: readonly string[], answer: unknown, sensitive: boolean | null = null): Marked {
  const judge: Judge = (entry, id) => (sensitive === null ? null : shown(entry, sensitive)) ?? named(entry, id)
  const results = itemResults(ids, answer, judge)
  const status = textOf(unwrapped(answer, ids)['status'])
  if (results === null) return { status, message_ids: null }
  return { status, message_ids: results.filter((result) => result.status === 'done').map(({ id }) => id), results }
}

/** Reads the result from the message's own `sensitive` field in the answer. */
function shown({ sensitive }: Fields, wanted: boolean): ReturnType<Judge> {
  if (typeof sensitive !== 'boolean') return null
  if (sensitive === wanted) return done
  return {
    status: 'failed',
    error: { code: 'not_applied', message: `The platform shows the message as ${sensitive ? 'sensitive' : 'not sensitive'}.` },
  }
}
