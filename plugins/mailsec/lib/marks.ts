import { type ItemResult, itemResults, type Judge, unwrapped } from './items.ts'
import { type Fields, reasonIn, textOf, verdictOf } from './verdict.ts'

/** What a request that marks messages came to. */
export interface Marked {
  /** The platform's word for the whole. */
  readonly status: string | null
  /** The messages that were marked; null where the platform does not say which. */
  readonly message_ids: readonly string[] | null
  /** One for each message, in the order given; absent where the platform does not speak of single messages. */
  readonly results?: readonly ItemResult[]
}

const telling = ['status', 'state', 'result', 'outcome', 'success', 'succeeded', 'ok', 'accepted']

/** A message that is named, and of which nothing bad is said, was taken. */
const named: Judge = (entry) =>
  telling.every((name) => entry[name] === undefined || entry[name] === null) && reasonIn(entry) === null && verdictOf(entry) !== 'failed'
    ? done
    : null
const done = { status: 'done', error: null } as const

/** @param sensitive what the messages are to be, where the request says so */
export function marked(ids: readonly string[], answer: unknown, sensitive: boolean | null = null): Marked {
  const judge: Judge = (entry, id) => (sensitive === null ? null : shown(entry, sensitive)) ?? named(entry, id)
  const results = itemResults(ids, answer, judge)
  const status = textOf(unwrapped(answer, ids)['status'])
  if (results === null) return { status, message_ids: null }
  return { status, message_ids: results.filter((result) => result.status === 'done').map(({ id }) => id), results }
}

/** A message that comes back says itself what it is. */
function shown({ sensitive }: Fields, wanted: boolean): ReturnType<Judge> {
  if (typeof sensitive !== 'boolean') return null
  if (sensitive === wanted) return done
  return {
    status: 'failed',
    error: { code: 'not_applied', message: `The platform shows the message as ${sensitive ? 'sensitive' : 'not sensitive'}.` },
  }
}
