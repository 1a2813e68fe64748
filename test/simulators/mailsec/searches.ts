import type { Reply } from '../faults.ts'
import { isText, isTime, withBody } from './checks.ts'
import { pageOf, row } from './paging.ts'
import { type Message, messageSummary } from './records.ts'
import { badRequest, forbidden, gone, notFound } from './replies.ts'
import { type Call, paged, type Route, timeOf } from './route.ts'
import { type Term, termsOf } from './search-language.ts'
import { includes, type SearchStatus } from './vocabulary.ts'

/** After how many looks at a job it goes on to its next state: the jobs have no clock, so that a test sees the same each time. */
export interface SearchPace {
  readonly pending: number
  readonly running: number
  /** Looks at the results before they expire. */
  readonly done: number
}

interface Job {
  readonly terms: readonly Term[]
  readonly after: number
  readonly before: number
  readonly fails: boolean
  looks: number
}

/** The message searches that were started. */
export class Searches {
  readonly #jobs = new Map<string, Job>()
  #failing = 0
  pace: SearchPace

  constructor(pace: SearchPace) {
    this.pace = pace
  }

  /** The next search that is started ends as failed. */
  failNext(): void {
    this.#failing += 1
  }

  /** One that somebody started before, and that is done. */
  startDone(terms: readonly Term[]): string {
    const id = this.start(terms, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
    const job = this.#jobs.get(id)
    if (job) job.looks = this.pace.pending + this.pace.running
    return id
  }

  start(terms: readonly Term[], after: number, before: number): string {
    const id = `srch.1.${Buffer.from(`search/${this.#jobs.size + 1}+`).toString('base64')}`
    const fails = this.#failing > 0
    if (fails) this.#failing -= 1
    this.#jobs.set(id, { terms, after, before, fails, looks: 0 })
    return id
  }

  /** @param turning a further page of results: no look at the job */
  look(id: string, turning: boolean): { readonly job: Job; readonly status: SearchStatus | 'EXPIRED' } | null {
    const job = this.#jobs.get(id)
    if (!job) return null
    if (!turning) job.looks += 1
    const { pending, running, done } = this.pace
    if (job.looks <= pending) return { job, status: 'PENDING' }
    if (job.looks <= pending + running) return { job, status: 'RUNNING' }
    if (job.fails) return { job, status: 'FAILED' }
    return { job, status: job.looks <= pending + running + done ? 'DONE' : 'EXPIRED' }
  }
}

export const searchRoutes: readonly Route[] = [
  { path: ['messages', 'searches'], methods: { POST: { role: 'analyst', query: {}, answer: startSearch } } },
  { path: ['messages', 'searches', '*'], methods: { GET: { role: 'analyst', query: paged, answer: lookAtSearch } } },
]

function startSearch(call: Call): Reply {
  const fields = { query: isText, receivedAfter: isTime, receivedBefore: isTime }
  return withBody<{ query: string; receivedAfter?: string; receivedBefore?: string }>(call, fields, ['query'], (body) => {
    const terms = termsOf(body.query)
    if (typeof terms === 'string') return badRequest(terms)
    // What a message says is content, and so is whether it says something.
    if (terms.some(({ field }) => field === 'body') && !includes(call.role, 'email_content_admin')) return forbidden(call.role)
    const after = timeOf(body.receivedAfter ?? null) ?? Number.NEGATIVE_INFINITY
    const before = timeOf(body.receivedBefore ?? null) ?? Number.POSITIVE_INFINITY
    const id = call.tenant.searches.start(terms, after, before)
    return { status: 202, body: JSON.stringify({ id, status: 'PENDING' }) }
  })
}

function lookAtSearch(call: Call): Reply {
  const { tenant, segments, query, role, request } = call
  const found = tenant.searches.look(segments[2] ?? '', query.has('cursor'))
  if (!found) return notFound('search')
  const { job, status } = found
  if (status === 'EXPIRED') return gone('search_expired', 'The results of this search are no longer kept.')
  const fits = status === 'DONE' ? (message: Message): boolean => matches(message, job) : (): boolean => false
  const content = includes(role, 'email_content_admin')
  const rows = tenant.messages.map((message) => ({ ...row(message), json: JSON.stringify(resultOf(message, content)) }))
  const page = pageOf(rows, fits, query, request.path)
  return page.status === 200 ? { ...page, body: `{"id":${JSON.stringify(segments[2])},"status":"${status}",${page.body.slice(1)}` } : page
}

/** Metadata, and for a content admin what the message says. */
function resultOf(message: Message, content: boolean): object {
  return { ...messageSummary(message), ...(content && { content: { text: message.text } }) }
}

function matches(message: Message, { terms, after, before }: Job): boolean {
  const received = Date.parse(message.receivedAt)
  return (
    received >= after &&
    received < before &&
    terms.every(({ field, value }) => valuesOf(message, field).some((text) => text.toLowerCase().includes(value)))
  )
}

function valuesOf(message: Message, field: Term['field']): readonly string[] {
  switch (field) {
    case 'subject':
    case 'sender':
      return [message[field]]
    case 'recipient':
      return message.recipients
    case 'link':
      return message.links.map(({ url }) => url)
    case 'body':
      return [message.text]
  }
}
