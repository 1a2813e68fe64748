import { unwrapped } from './items.ts'
import { type Fields, fieldsOf, notSaid, type Reason, reasonIn, reasonOf, textOf, type Verdict, verdictOf } from './verdict.ts'

/** One operation on a trusted entity, as in the skill's input. Its schema has already been checked. */
export interface Operation {
  readonly operation: 'create' | 'update' | 'delete'
  /** For an update or a deletion. */
  readonly entity_id?: string
  /** For a creation. */
  readonly kind?: string
  readonly value?: string
  readonly name?: string
  readonly enabled?: boolean
  readonly detection_settings?: object
  readonly authentication_settings?: object
}

/** The result of one operation. */
export interface OperationResult {
  /** Its position in the input, from 0. */
  readonly index: number
  readonly operation: Operation['operation']
  /** `unknown`: the platform accepted the request, but said nothing about this operation. */
  readonly status: 'done' | 'failed' | 'not_sent' | 'unknown'
  readonly entity_id: string | null
  readonly value: string | null
  /** Its name for people: its value, or its id. */
  readonly target: string
  /** The platform's own words, or why the request was not sent. */
  readonly error: Reason | null
}

/** A request that was refused or could not be sent. Nothing was done. */
interface Refusal {
  readonly code: string
  readonly message: string
  /** The status of the answer. Null if there was none. */
  readonly status: number | null
}

/** Operations of one request (specification 8). */
const operationsPerRequest = 200

/** Returns an operation in the form of the platform's bulk request, without missing fields. */
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
 * Sends operations in requests of at most 200, in the given order, and returns the result of each. There is no transaction: an operation stays done
 * if a later one fails. If a request is refused for its content, the next one is still sent. After any other failure, which would also hit the next
 * request, the rest is not sent.
 * @param send returns the platform's results for some operations, in order. It throws a `Refusal` if nothing was done
 * @param progress is called after each request with the results so far
 * @throws the error of `send` if no request succeeded. Then nothing was done
 */
export async function sendInRequests(
  operations: readonly Operation[],
  send: (operations: readonly object[]) => Promise<unknown>,
  progress: (results: readonly OperationResult[]) => void,
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
    progress(results)
  }
  if (!went && first !== null) throw first
  return results
}

function judged(operations: readonly Operation[], answer: unknown, start: number): readonly OperationResult[] {
  const results = placed(operations, listIn(answer).map(fieldsOf))
  return operations.map((operation, at) => {
    const result = results[at] ?? {}
    const status = becameOf(operation, result)
    return resultOf(operation, start + at, status, {
      id: idIn(result),
      error: status === 'done' ? null : status === 'failed' ? reasonOf(result) : notSaid,
    })
  })
}

/**
 * Returns the result of each operation. Usually the results are in the order of the operations. If one of them names another operation, all are
 * matched by name. If there are more or fewer results than operations, no result can be assigned.
 */
function placed(operations: readonly Operation[], results: readonly Fields[]): readonly (Fields | undefined)[] {
  if (results.length !== operations.length) return []
  if (operations.every((operation, at) => !speaksOfAnother(operation, results[at] ?? {}))) return results
  return operations.map((operation) => {
    const fitting = results.filter((result) => speaksOf(operation, result))
    return fitting.length === 1 ? fitting[0] : undefined
  })
}

function speaksOf({ entity_id, value }: Operation, result: Fields): boolean {
  return entity_id === undefined ? sameValue(value, result['value']) : idIn(result) === entity_id
}

function speaksOfAnother(operation: Operation, result: Fields): boolean {
  const named = operation.entity_id === undefined ? textOf(result['value']) : idIn(result)
  return named !== null && !speaksOf(operation, result)
}

function sameValue(one: string | undefined, other: unknown): boolean {
  return one !== undefined && one.toLowerCase() === textOf(other)?.toLowerCase()
}

function idIn(result: Fields): string | null {
  return textOf(result['id']) ?? textOf(result['entityId']) ?? textOf(fieldsOf(result['entity'])['id'])
}

/** Reads the outcome of an operation. If a result has no status, the entity in it shows the new state, except after a deletion. */
function becameOf({ operation, enabled }: Operation, result: Fields): Verdict {
  const verdict = verdictOf(result)
  const entity = typeof result['entity'] === 'object' && result['entity'] !== null ? fieldsOf(result['entity']) : result
  if (verdict !== 'unknown' || operation === 'delete' || reasonIn(result) !== null || result['success'] !== undefined) return verdict
  if (textOf(entity['id']) === null || textOf(entity['kind']) === null) return verdict
  return enabled !== undefined && typeof entity['enabled'] === 'boolean' && entity['enabled'] !== enabled ? 'unknown' : 'done'
}

/** Finds the list of results. The vendor does not specify the shape: the answer is the list, or has it under one of these names. */
function listIn(answer: unknown): readonly unknown[] {
  const { results, items, operations, data } = unwrapped(answer, [])
  const list = [answer, results, items, operations, data].find((each) => Array.isArray(each))
  return (list ?? []) as readonly unknown[]
}

function resultOf(
  { operation, entity_id, value }: Operation,
  index: number,
  status: OperationResult['status'],
  { id = null, error = null }: { readonly id?: string | null; readonly error?: OperationResult['error'] },
): OperationResult {
  const said = error && { code: error.code, message: error.message }
  const known = id ?? entity_id ?? null
  return { index, operation, status, entity_id: known, value: value ?? null, target: value ?? known ?? `operation ${index}`, error: said }
}

function isRefusal(error: unknown): error is Refusal {
  const { code, message } = fieldsOf(error)
  return typeof code === 'string' && typeof message === 'string'
}
