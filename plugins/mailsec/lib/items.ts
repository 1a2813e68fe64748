import { type Fields, fieldsOf, notSaid, type Reason, reasonOf, textOf, type Verdict, verdictOf } from './verdict.ts'

/** The result for one item of a request. */
export interface ItemResult {
  readonly id: string
  readonly status: Verdict
  readonly error: Reason | null
}

/** Reads the result of an item from its entry in the answer. Null: `verdictOf` decides. */
export type Judge = (entry: Fields, id: string) => Omit<ItemResult, 'id'> | null

const lists = ['results', 'items', 'messages', 'cases', 'detections', 'operations', 'data']
/** Names of fields that list the items that succeeded, and those that failed. */
const doneNames =
  /^((message|case|detection|entity)?_?ids|ok|done|accepted|success|succeeded|successful|processed|updated|marked|completed|applied)(_?(ids|items|messages|cases|detections))?$/i
const failedNames = /^(fail|reject|error|skip|invalid|unsuccessful|unprocessed|not_?found|not_?processed)/i
/** Names of fields that count failed and done items. Not `updated`, because platforms may leave out items that did not change. */
const failedCounts = /^(num_?)?(failed|failures?|errors?|rejected|skipped|unsuccessful)(_?count)?$/i
const doneCounts = /^((num_?)?(succeeded|successful|processed|marked)(_?count)?|success_?count)$/i
/** Names of counts that may also be flags, so that 0 and 1 say nothing. */
const flagsOrCounts = /^(success|accepted|done|completed|applied|ok)$/i
/** Objects that may hold counts. */
const summaries = ['summary', 'stats', 'counts', 'totals', 'meta']
/** Objects that may wrap an answer, and how deep. */
const [wrappers, deepestWrapper] = [['data', 'result', 'results', 'response', 'payload'], 3] as const
/** Fields of an entry that may hold the item itself. */
const things = ['message', 'case', 'detection', 'entity', 'item']
const idNames = ['id', 'messageId', 'message_id', 'caseId', 'case_id', 'detectionId', 'detection_id', 'entityId']

/**
 * Returns the result of each item, in the order of `ids`. The vendor does not specify the shape of the answer. It may be a list of entries, lists of
 * accepted and refused ids, or a map by id.
 * @returns null if the answer says nothing about single items. Then we only know that the platform accepted the request
 */
export function itemResults(ids: readonly string[], answer: unknown, judge: Judge = () => null): readonly ItemResult[] | null {
  const told = new Told(judge)
  const body = unwrapped(answer, ids)
  const list = Array.isArray(answer) ? (answer as readonly unknown[]) : lists.map((name) => body[name]).find((value) => Array.isArray(value))
  if (Array.isArray(list)) told.entries(list as readonly unknown[], ids)
  for (const name of lists) told.map(body[name], ids)
  told.map(body, ids)
  for (const [name, value] of Object.entries(body)) {
    // Skip the list that was already read above.
    if (value === list) continue
    if (failedNames.test(name)) told.all(value, 'failed', ids)
    else if (doneNames.test(name)) told.all(value, 'done', ids)
  }
  const count = countIn(body, ids.length)
  const partly = /partial|with[_ -]?(error|failure)/i.test(textOf(body['status']) ?? '')
  const known = ids.some((id) => told.of(id) !== undefined)
  // Entries of other items say nothing about ours. An empty list does: none of our items is in it.
  const says = count !== null || partly || told.elsewhere || known || told.empty
  if (!says) return null
  const rest: Omit<ItemResult, 'id'> = told.onlyFailures ? { status: 'done', error: null } : unsaid(count, partly || told.elsewhere)
  return ids.map((id) => ({ id, ...(told.of(id) ?? rest) }))
}

/** Returns the fields of an answer, and of the objects in it that wrap the results (`{ data: { results: [] } }`). Inner fields win. */
export function unwrapped(answer: unknown, ids: readonly string[]): Fields {
  let body = fieldsOf(answer)
  for (let depth = 0; depth < deepestWrapper; depth += 1) {
    const wrapper = wrappers.find((name) => Object.keys(fieldsOf(body[name])).length > 0)
    const inner = wrapper === undefined ? {} : fieldsOf(body[wrapper])
    // A map by id is not a wrapper.
    if (wrapper === undefined || ids.some((id) => Object.hasOwn(inner, id))) return body
    body = { ...Object.fromEntries(Object.entries(body).filter(([name]) => name !== wrapper)), ...inner }
  }
  return body
}

/** Says how many items failed. Returns null if the answer has no count that shows a failure. */
function countIn(body: Fields, asked: number): string | null {
  for (const fields of [body, ...summaries.map((name) => fieldsOf(body[name]))])
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) continue
      if (failedCounts.test(name) && value > 0) return `${value} failed`
      if ((doneCounts.test(name) || (flagsOrCounts.test(name) && value > 1)) && value < asked) return `${value} of ${asked} were done`
    }
  return null
}

function unsaid(count: string | null, partly: boolean): Omit<ItemResult, 'id'> {
  if (count === null && !partly) return { status: 'unknown', error: notSaid }
  const how = count ?? 'only a part was done'
  return { status: 'unknown', error: { code: 'no_result', message: `The platform says that ${how}, but not which items.` } }
}

/** Collects what an answer says about single items. */
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

  /** Returns whether the answer has lists, and all are empty. */
  get empty(): boolean {
    return this.#lists > 0 && this.#entries === 0
  }

  /** Returns whether the answer has a failure that belongs to none of our items. */
  get elsewhere(): boolean {
    return this.#elsewhere
  }

  /** Returns whether the answer lists only failed items. Then all others were done. */
  get onlyFailures(): boolean {
    return this.#lists > 0 && this.#lists === this.#failures && !this.#elsewhere
  }

  of(id: string): Omit<ItemResult, 'id'> | undefined {
    return this.#results.get(idText(id) ?? id)
  }

  /** Matches entries to items by id. If no entry has one of our ids, it uses their order, provided that the counts are equal. */
  entries(list: readonly unknown[], ids: readonly string[]): void {
    this.#lists += 1
    this.#entries += list.length
    const asked = new Set(ids.map((id) => idText(id) ?? id))
    const isNamed = (entry: unknown): boolean => (typeof entry === 'object' ? idOf(entry) !== null : asked.has(idText(entry) ?? ''))
    const named = list.some(isNamed)
    const placed = named || list.length === ids.length
    for (const [at, entry] of list.entries()) {
      const id = named ? idOf(entry) : placed ? (idText(ids[at]) ?? '') : null
      const known = id !== null && asked.has(id)
      if (known) this.#add(id, this.#judged(entry, id))
      else if (verdictOf(fieldsIn(entry)) === 'failed') this.#elsewhere = true
    }
  }

  /** Reads a map from ids to entries: `{ "<id>": <entry or word> }`. */
  map(value: unknown, ids: readonly string[]): void {
    const entries = Object.entries(fieldsOf(value)).filter(([id]) => ids.includes(id))
    if (entries.length === 0) return
    this.#lists += 1
    this.#entries += entries.length
    for (const [id, entry] of entries) this.#add(id, this.#judged(fieldsIn(entry), id))
  }

  /** Reads a list of done or failed items, or a map from ids to reasons. */
  all(value: unknown, status: 'done' | 'failed', ids: readonly string[]): void {
    if (!Array.isArray(value)) {
      const reasons = Object.entries(fieldsOf(value)).filter(([id]) => ids.includes(id))
      if (reasons.length > 0)
        this.all(
          reasons.map(([id, reason]) => ({ ...(textOf(reason) === null ? fieldsOf(reason) : { message: reason }), id })),
          status,
          ids,
        )
      return
    }
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
    // A bare id in a list of results was accepted.
    if (typeof entry !== 'object' && idText(entry) === id) return { status: 'done', error: null }
    const fields = fieldsIn(entry)
    const own = this.#judge(fields, id)
    if (own) return own
    const status = verdictOf(fields)
    return { status, error: status === 'done' ? null : status === 'failed' ? reasonOf(fields) : notSaid }
  }

  /** Adds a result. If an item has two different results, it becomes unknown. */
  #add(id: string, result: Omit<ItemResult, 'id'>): void {
    const standing = this.#results.get(id)
    if (standing && standing.status !== result.status) this.#results.set(id, { status: 'unknown', error: notSaid })
    else this.#results.set(id, standing ?? result)
  }
}

function idOf(entry: unknown): string | null {
  if (typeof entry !== 'object' || entry === null) return idText(entry)
  const fields = fieldsOf(entry)
  const own = idNames.map((name) => idText(fields[name])).find((id) => id !== null)
  return own ?? things.map((name) => idText(fieldsOf(fields[name])['id'])).find((id) => id !== null) ?? null
}

/** Returns the fields of an entry. A bare word, number or boolean is its status. */
function fieldsIn(entry: unknown): Fields {
  if (typeof entry === 'boolean') return { success: entry }
  return typeof entry === 'string' || typeof entry === 'number' ? { status: entry } : fieldsOf(entry)
}

/** Returns an id as text. The platform may give an id of digits as a number, and a UUID in upper case. */
function idText(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : textOf(value)
  return text !== null && /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/i.test(text) ? text.toLowerCase() : text
}
