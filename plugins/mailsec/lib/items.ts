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
/** Members that are lists of what was done, and of what was not. */
const doneNames =
  /^((message|case|detection|entity)?_?ids|ok|done|accepted|success|succeeded|successful|processed|updated|marked|completed|applied)(_?(ids|items|messages|cases|detections))?$/i
const failedNames = /^(fail|reject|error|skip|invalid|unsuccessful|unprocessed|not_?found|not_?processed)/i
/** Members that are numbers of what was not done, and of what was. Of what was updated less may be right: the rest was so before. */
const failedCounts = /^(num_?)?(failed|failures?|errors?|rejected|skipped|unsuccessful)(_?count)?$/i
const doneCounts = /^((num_?)?(succeeded|successful|processed|marked)(_?count)?|success_?count)$/i
/** The same, or flags: 0 and 1 say nothing. */
const flagsOrCounts = /^(success|accepted|done|completed|applied|ok)$/i
/** Where counts may stand. */
const summaries = ['summary', 'stats', 'counts', 'totals', 'meta']
/** What an answer may be wrapped in, and how often. */
const [wrappers, deepestWrapper] = [['data', 'result', 'results', 'response', 'payload'], 3] as const
/** An entry may have its thing in it. */
const things = ['message', 'case', 'detection', 'entity', 'item']
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
  told.map(body, ids)
  for (const [name, value] of Object.entries(body)) {
    // The list that was read already is not read again under another meaning.
    if (value === list) continue
    if (failedNames.test(name)) told.all(value, 'failed', ids)
    else if (doneNames.test(name)) told.all(value, 'done', ids)
  }
  const count = countIn(body, ids.length)
  const partly = /partial|with[_ -]?(error|failure)/i.test(textOf(body['status']) ?? '')
  const known = ids.some((id) => told.of(id) !== undefined)
  // What speaks of something else than was asked for says nothing; that a list is empty says something.
  const says = count !== null || partly || told.elsewhere || known || told.empty
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

/** In words, how many failed; null: the answer has no count that says so. */
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
  const how = count ?? 'a part of it was done'
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

  /** `{ "<id>": <entry or word> }` */
  map(value: unknown, ids: readonly string[]): void {
    const entries = Object.entries(fieldsOf(value)).filter(([id]) => ids.includes(id))
    if (entries.length === 0) return
    this.#lists += 1
    this.#entries += entries.length
    for (const [id, entry] of entries) this.#add(id, this.#judged(fieldsIn(entry), id))
  }

  /** A list of what was done, or of what failed, or a map of why by id. */
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
    // A bare id in a list of results was taken.
    if (typeof entry !== 'object' && idText(entry) === id) return { status: 'done', error: null }
    const fields = fieldsIn(entry)
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
  const own = idNames.map((name) => idText(fields[name])).find((id) => id !== null)
  return own ?? things.map((name) => idText(fieldsOf(fields[name])['id'])).find((id) => id !== null) ?? null
}

/** A word, a number or a truth in the place of an entry says what became of it. */
function fieldsIn(entry: unknown): Fields {
  if (typeof entry === 'boolean') return { success: entry }
  return typeof entry === 'string' || typeof entry === 'number' ? { status: entry } : fieldsOf(entry)
}

/** Ids are texts; one of digits may come as a number, and a UUID in capitals. */
function idText(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : textOf(value)
  return text !== null && /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/i.test(text) ? text.toLowerCase() : text
}
