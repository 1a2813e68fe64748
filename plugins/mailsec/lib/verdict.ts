/** The result for one item of a request. `unknown`: the platform accepted the request, but did not say. */
export type Verdict = 'done' | 'failed' | 'unknown'

/** The platform's own words for why something was not done. */
export interface Reason {
  readonly code: string
  readonly message: string
}

export type Fields = Readonly<Record<string, unknown>>

const failedWord =
  /^(un|not[_ -]|in(valid|complete))|fail|error|reject|refus|denied|forbid|not_?found|skip|ignor|conflict|unsupport|expire|missing|unable|abort|cancel|time[_ ]?out/i
const doneWord =
  /succe|^ok$|done|complete|accept|queue|creat|updat|delet|remov|mark|report|process|submit|appl(y|ied)|triag|flag|chang|sensitive|suspicious/i

/** Fields that may hold the result of an entry, as a word or an HTTP status. The first with a value counts. */
const saying = ['status', 'state', 'result', 'outcome', 'statusCode', 'status_code', 'httpStatus', 'code']

/**
 * Reads the result from a word or an HTTP status in `status` (or another field of `saying`), from `success`, or from an `error`. If these
 * contradict each other, or if there are none, the result is unknown: the vendor does not specify the shape of an answer.
 */
export function verdictOf(entry: Fields): Verdict {
  const said = saying.map((name) => entry[name]).find((value) => typeof value === 'string' || typeof value === 'number')
  const word = typeof said === 'string' ? said : ''
  const number = typeof said === 'number' ? said : /^[1-5]\d\d$/.test(word) ? Number(word) : 0
  const flag = [entry['success'], entry['succeeded'], entry['ok'], entry['accepted']].map(flagIn).find((value) => value !== null)
  const refused = failedWord.test(word)
  const failed = refused || number >= 400 || flag === false || flagIn(entry['failed']) === true
  const done = (!refused && doneWord.test(word)) || (number >= 200 && number < 300) || flag === true
  const error = reasonIn(entry) !== null
  if (failed && done) return 'unknown'
  if (failed) return 'failed'
  if (done) return error ? 'unknown' : 'done'
  return error ? 'failed' : 'unknown'
}

/** Returns the error in an entry, or null if it has none. */
export function reasonIn(entry: Fields): Reason | null {
  const { error, errors } = entry
  const first = Array.isArray(errors) ? (errors[0] as unknown) : errors
  const others = [entry['errorMessage'], entry['error_message'], entry['failureReason'], entry['errorCode'], entry['error_code']]
  const other = others.find((value) => textOf(value) !== null && !/^(0|ok|none|success)$/i.test(String(value)))
  const given = isSaid(error) ? error : isSaid(first) ? first : (other ?? null)
  if (given === null) return null
  const { code, message } = fieldsOf(given)
  return {
    code: textOf(code) ?? textOf(entry['code']) ?? textOf(entry['errorCode']) ?? 'failed',
    message: textOf(message) ?? textOf(given) ?? textOf(entry['message']) ?? 'The platform gave no reason.',
  }
}

/** Like `reasonIn`, for an entry that is known to have failed. */
export function reasonOf(entry: Fields): Reason {
  const words = textOf(entry['message']) ?? textOf(entry['reason']) ?? textOf(entry['detail']) ?? 'The platform gave no reason.'
  return reasonIn(entry) ?? { code: textOf(entry['code']) ?? 'failed', message: words }
}

export const notSaid: Reason = { code: 'no_result', message: 'The platform accepted the request, but gave no result for this.' }

/** Reads a flag from a boolean, a word or a number. Returns null if it is not a flag. */
function flagIn(value: unknown): boolean | null {
  if (value === true || value === 1 || value === 'true') return true
  return value === false || value === 0 || value === 'false' ? false : null
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== ''
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
