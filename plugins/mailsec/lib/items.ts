import { type Fields, fieldsOf, notSaid, type Reason, reasonOf, textOf, type Verdict, verdictOf } from './verdict.ts'

/** What became of one of the things that a request named. */
export interface ItemResult {
  readonly id: string
  readonly status: Verdict
  readonly error: Reason | null
}

/** What an entry of the answer says of its thing; null: the usual words are looked at. */
export type Judge = (entry: Fields, id: string) => Omit<ItemResult, 'id'> | null

const lists = ['results', 'items', 'messages', 'cases', 'detections', 'operations', 'data']
const doneLists = [
  'messageIds',
  'message_ids',
  'caseIds',
  'ids',
  'accepted',
  'succeeded',
  'successful',
  'success',
  'done',
  'processed',
  'updated',
  'marked',
]
const failedLists = ['failed', 'failures', 'rejected', 'errors', 'notFound', 'not_found', 'skipped', 'invalid', 'unprocessed', 'failedIds']
const failedCounts = ['failedCount', 'failed_count', 'errorCount', 'failed', 'rejected', 'errors', 'skipped']
/** What an answer may be wrapped in, and how often. */
const [wrappers, deepestWrapper] = [['data', 'result', 'response', 'payload'], 3] as const
const idNames = ['id', 'messageId', 'message_id', 'caseId', 'case_id', 'detectionId', 'detection_id', 'entityId']

/**
 * What became of each thing, in the order of `ids`. The answer's shape is not specified: it may be a list of entries, lists of the ids that were
 * accepted and refused, or a map by id.
 * @returns null where the answer says nothing of single things: then all that is known is that the platform took the request
 */
export function itemResults(ids: readonly string[], answer: unknown, judge: Judge = () => null): readonly ItemResult[] | null {
  const told = new Told(judge)
  const body = unwrapped(answer, ids)
  const list = Array.isArray(answer) ? (answer as readonly unknown[]) : lists.map((name) => body[name]).find((value) => Array.isArray(value))
  if (Array.isArray(list)) told.entries(list as readonly unknown[], ids)
  for (const name of lists) told.map(body[name], ids)
  // The list that was read already is not read again under another meaning.
  for (const name of doneLists) if (body[name] !== list) told.all(body[name], 'done', ids)
  for (const name of failedLists) if (body[name] !== list) told.all(body[name], 'failed', ids)
  const count = failedCounts.map((name) => body[name]).find((value) => typeof value === 'number' && value > 0)
  const partly = /partial/i.test(textOf(body['status']) ?? '')
  const known = ids.some((id) => told.of(id) !== undefined)
  // What speaks of something else than was asked for says nothing; that a list is empty says something.
  const says = count !== undefined || partly || told.elsewhere || known || told.empty
  if (!says) return null
  const rest: Omit<ItemResult, 'id'> = told.onlyFailures ? { status: 'done', error: null } : unsaid(count, partly || told.elsewhere)
  return ids.map((id) => ({ id, ...(told.of(id) ?? rest) }))
}

/** The fields of an answer, and those of what is wrapped in it (`{ data: { results: [] } }`), which count first. */
export function unwrapped(answer: unknown, ids: readonly string[]): Fields {
  let body = fieldsOf(answer)
  for (let depth = 0; depth < deepestWrapper; depth += 1) {
    const wrapper = wrappers.find((name) => Object.keys(fieldsOf(body[name])).length > 0)
    const inner = wrapper === undefined ? {} : fieldsOf(body[wrapper])
    // A map by id is no wrapper.
    if (wrapper === undefined || ids.some((id) => Object.hasOwn(inner, id))) return body
    body = { ...Object.fromEntries(Object.entries(body).filter(([name]) => name !== wrapper)), ...inner }
  }
  return body
}

function unsaid(count: unknown, partly: boolean): Omit<ItemResult, 'id'> {
  if (count === undefined && !partly) return { status: 'unknown', error: notSaid }
  const how = count === undefined ? 'a part of it was done' : `${String(count)} failed`
  return { status: 'unknown', error: { code: 'no_result', message: `The platform says that ${how}, and not of which.` } }
}

/** What an answer tells of single things. */
class Told {
  readonly #judge: Judge
  readonly #results = new Map<string, Omit<ItemResult, 'id'>>()
  #lists = 0
  #failures = 0
  #entries = 0
  #elsewhere = false

  constructor(judge: Judge) {
    this.#judge = judge
  }

  /** Whether there are lists, and nothing in them. */
  get empty(): boolean {
    return this.#lists > 0 && this.#entries === 0
  }

  /** Whether something failed of which it is not said what it is. */
  get elsewhere(): boolean {
    return this.#elsewhere
  }

  /** Whether it names what failed and nothing else: then the rest was done. */
  get onlyFailures(): boolean {
    return this.#lists > 0 && this.#lists === this.#failures && !this.#elsewhere
  }

  of(id: string): Omit<ItemResult, 'id'> | undefined {
    return this.#results.get(idText(id) ?? id)
  }

  /** Entries by their ids; where none has one, by their places, if there are as many as were asked for. */
  entries(list: readonly unknown[], ids: readonly string[]): void {
    this.#lists += 1
    this.#entries += list.length
    const named = list.some((entry) => idOf(entry) !== null)
    const placed = named || list.length === ids.length
    const asked = new Set(ids.map((id) => idText(id) ?? id))
    for (const [at, entry] of list.entries()) {
      const id = named ? idOf(entry) : placed ? (idText(ids[at]) ?? '') : null
      const known = id !== null && asked.has(id)
      if (known) this.#add(id, this.#judged(entry, id))
      else if (verdictOf(fieldsOf(entry)) === 'failed') this.#elsewhere = true
    }
  }

  /** `{ "<id>": <entry or word> }` */
  map(value: unknown, ids: readonly string[]): void {
    const entries = Object.entries(fieldsOf(value)).filter(([id]) => ids.includes(id))
    if (entries.length === 0) return
    this.#lists += 1
    this.#entries += entries.length
    for (const [id, entry] of entries) this.#add(id, this.#judged(typeof entry === 'string' ? { status: entry } : entry, id))
  }

  /** A list of what was done, or of what failed. */
  all(value: unknown, status: 'done' | 'failed', ids: readonly string[]): void {
    if (!Array.isArray(value)) return
    this.#lists += 1
    this.#entries += value.length
    if (status === 'failed') this.#failures += 1
    for (const entry of value as readonly unknown[]) {
      const id = idOf(entry)
      if (id !== null) this.#add(id, { status, error: status === 'failed' ? reasonOf(fieldsOf(entry)) : null })
      if (status === 'failed' && (id === null || !ids.includes(id))) this.#elsewhere = true
    }
  }

  #judged(entry: unknown, id: string): Omit<ItemResult, 'id'> {
    // A bare id in a list of results was taken.
    if (typeof entry === 'string') return { status: 'done', error: null }
    const fields = fieldsOf(entry)
    const own = this.#judge(fields, id)
    if (own) return own
    const status = verdictOf(fields)
    return { status, error: status === 'done' ? null : status === 'failed' ? reasonOf(fields) : notSaid }
  }

  /** What is told twice must be told alike. */
  #add(id: string, result: Omit<ItemResult, 'id'>): void {
    const standing = this.#results.get(id)
    if (standing && standing.status !== result.status) this.#results.set(id, { status: 'unknown', error: notSaid })
    else this.#results.set(id, standing ?? result)
  }
}

function idOf(entry: unknown): string | null {
  if (typeof entry !== 'object' || entry === null) return idText(entry)
  const fields = fieldsOf(entry)
  return idNames.map((name) => idText(fields[name])).find((id) => id !== null) ?? null
}

/** Ids are texts; one of digits may come as a number, and a UUID in capitals. */
function idText(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : textOf(value)
  return text !== null && /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/i.test(text) ? text.toLowerCase() : text
}
