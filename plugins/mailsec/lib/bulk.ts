/** One thing to do with a trusted entity, as the skill's input has it: already checked by its schema. */
export interface Operation {
  readonly operation: 'create' | 'update' | 'delete'
  /** Of an update or a deletion. */
  readonly entity_id?: string
  /** Of a creation. */
  readonly kind?: string
  readonly value?: string
  readonly name?: string
  readonly enabled?: boolean
  readonly detection_settings?: object
  readonly authentication_settings?: object
}

/** What became of one operation. */
export interface OperationResult {
  /** Its place in the input, from 0. */
  readonly index: number
  readonly operation: Operation['operation']
  /** `unknown`: the platform took the request and said nothing of this operation. */
  readonly status: 'done' | 'failed' | 'not_sent' | 'unknown'
  readonly entity_id: string | null
  readonly value: string | null
  /** The platform's own words, or what kept the request from it. */
  readonly error: { readonly code: string; readonly message: string } | null
}

/** A request that was refused or could not be sent; nothing of it was done. */
export interface Refusal {
  readonly code: string
  readonly message: string
  /** The status of the answer; null when there was none. */
  readonly status: number | null
}

/** Operations of one request (specification 8). */
export const operationsPerRequest = 200

/** An operation as the platform's bulk request has it. A field that is not given is left out. */
export function requested({ operation, entity_id, kind, value, name, enabled, detection_settings, authentication_settings }: Operation): object {
  const fields = {
    operation,
    id: entity_id,
    kind,
    value,
    name,
    enabled,
    detectionSettings: detection_settings,
    authenticationSettings: authentication_settings,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined))
}

/**
 * Sends operations in requests of at most 200, in the order given, and says of each what became of it. There is no transaction: what was done
 * stays done when another fails. After a request that was refused for what it held the next is sent; after any other failure, which would
 * befall the next too, the rest is left as not sent.
 * @param send gives the platform's results for some operations, in their order; throws a `Refusal` when nothing of the request was done
 * @param progress is told after each request how many operations have been sent
 * @throws what `send` throws when no request went through: then nothing was done, and the call failed as a whole
 */
export async function sendInRequests(
  operations: readonly Operation[],
  send: (operations: readonly object[]) => Promise<unknown>,
  progress: (sent: number) => void,
): Promise<readonly OperationResult[]> {
  const results: OperationResult[] = []
  let went = false
  let first: unknown = null
  for (let start = 0; start < operations.length; start += operationsPerRequest) {
    const part = operations.slice(start, start + operationsPerRequest)
    try {
      results.push(...judged(part, await send(part.map(requested)), start))
      went = true
    } catch (error) {
      if (!isRefusal(error)) throw error
      first ??= error
      const held = error.status === 400 || error.status === 413 || error.status === 422
      const left = held ? part : operations.slice(start)
      results.push(...left.map((operation, at) => resultOf(operation, start + at, held ? 'failed' : 'not_sent', { error })))
      if (!held) break
    }
    progress(results.length)
  }
  if (!went && first !== null) throw first
  return results
}

function judged(operations: readonly Operation[], answer: unknown, start: number): readonly OperationResult[] {
  const results = listIn(answer)
  // Results are matched by their places; where their number is another, no place can be trusted.
  const trusted = results.length === operations.length
  return operations.map((operation, at) => {
    const result = trusted ? objectOf(results[at]) : {}
    const id = textOf(result['id'])
    const became = verdictOf(result)
    if (became === 'done') return resultOf(operation, start + at, 'done', { id })
    if (became === 'unknown') {
      const error = { code: 'no_result', message: 'The platform took the request and did not say what became of this operation.' }
      return resultOf(operation, start + at, 'unknown', { error })
    }
    const { code, message } = objectOf(result['error'])
    const said = textOf(message) ?? textOf(result['error']) ?? textOf(result['message'])
    return resultOf(operation, start + at, 'failed', {
      id,
      error: { code: textOf(code) ?? textOf(result['code']) ?? 'failed', message: said ?? 'The platform gave no reason.' },
    })
  })
}

/** The answer's shape is not specified: the results are a list of its own, or under one of these names. */
function listIn(answer: unknown): readonly unknown[] {
  const { results, items, operations } = objectOf(answer)
  const list = [answer, results, items, operations].find((each) => Array.isArray(each))
  return (list ?? []) as readonly unknown[]
}

const doneWords = ['succeeded', 'success', 'ok', 'done', 'completed', 'created', 'updated', 'deleted']
const failedWords = ['failed', 'failure', 'error', 'rejected', 'refused']

/** By a word or an HTTP status in `status`, or by `success`; one that says both, or neither, says nothing. */
function verdictOf(result: Readonly<Record<string, unknown>>): 'done' | 'failed' | 'unknown' {
  const { status, success, error } = result
  const word = typeof status === 'string' ? status.toLowerCase() : ''
  const number = typeof status === 'number' ? status : 0
  const failed = failedWords.includes(word) || number >= 400 || success === false
  const done = doneWords.includes(word) || (number >= 200 && number < 300) || success === true
  if (failed === done) return 'unknown'
  if (failed) return 'failed'
  return error === undefined || error === null ? 'done' : 'unknown'
}

function resultOf(
  { operation, entity_id, value }: Operation,
  index: number,
  status: OperationResult['status'],
  { id = null, error = null }: { readonly id?: string | null; readonly error?: OperationResult['error'] },
): OperationResult {
  const said = error && { code: error.code, message: error.message }
  return { index, operation, status, entity_id: id ?? entity_id ?? null, value: value ?? null, error: said }
}

/** How many operations there are of each status. */
export function countsOf(results: readonly OperationResult[]): Readonly<Record<OperationResult['status'], number>> {
  const count = (status: OperationResult['status']): number => results.filter((result) => result.status === status).length
  return { done: count('done'), failed: count('failed'), not_sent: count('not_sent'), unknown: count('unknown') }
}

function isRefusal(error: unknown): error is Refusal {
  const { code, message } = objectOf(error)
  return typeof code === 'string' && typeof message === 'string'
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
