import { type Case, Cases } from './cases/cases.ts'
import { type Detection, Detections } from './detections/detections.ts'
import { type Account, type Issue, type Message, messageSummary, type SettingsChange, withSettings } from './issues/records.ts'
import { type Row, row } from './paging.ts'
import { Searches, type SearchPace } from './searches/searches.ts'
import { TrustedEntities } from './trusted/trusted.ts'

/** The fields that an update may set. */
export type IssueChange = Partial<Pick<Issue, 'status' | 'classification' | 'assignee' | 'snoozedUntil' | 'remediationActions'>>

export interface Seed {
  readonly issues: readonly Issue[]
  readonly messages: readonly Message[]
  readonly accounts: readonly Account[]
  readonly cases: readonly Case[]
  readonly detections: readonly Detection[]
  /** The tenant's mail domains. */
  readonly domains: readonly string[]
}

/** The tenant. The JSON of a record is made once for each change. */
export class Tenant {
  readonly #issues: Row<Issue>[]
  readonly #issueAt: Map<string, number>
  readonly #messages: Map<string, Message>
  readonly #ofIssue = new Map<string, Row<Message>[]>()
  readonly #accounts: Row<Account>[]
  readonly cases: Cases
  readonly detections: Detections
  readonly trusted: TrustedEntities
  readonly searches: Searches
  /** How often each issue was updated. */
  readonly updates = new Map<string, number>()
  readonly suspicious = new Set<string>()
  #ticks = 0

  constructor(seed: Seed, pace: SearchPace) {
    this.#issues = seed.issues.map(row)
    this.#issueAt = new Map(seed.issues.map((issue, index) => [issue.id, index]))
    this.#messages = new Map(seed.messages.map((message) => [message.id, message]))
    for (const message of seed.messages) {
      if (message.issue === null) continue
      const rows = this.#ofIssue.get(message.issue) ?? []
      rows.push({ value: message, json: JSON.stringify(messageSummary(message)) })
      this.#ofIssue.set(message.issue, rows)
    }
    this.#accounts = seed.accounts.map(row)
    const now = (): string => this.#now()
    this.cases = new Cases(seed.cases, now)
    this.detections = new Detections(seed.detections, seed.domains)
    this.trusted = new TrustedEntities(now)
    this.trusted.create('domain', 'mailsec.example', { name: 'The platform itself' }, 'system')
    this.trusted.create('domain', 'contoso-travel.example', { name: 'Travel agency' })
    this.searches = new Searches(pace)
    this.searches.startDone([{ field: 'subject', value: 'payroll' }])
  }

  get issues(): readonly Row<Issue>[] {
    return this.#issues
  }

  issue(id: string): Row<Issue> | null {
    const index = this.#issueAt.get(id)
    return index === undefined ? null : (this.#issues[index] ?? null)
  }

  get messages(): readonly Message[] {
    return [...this.#messages.values()]
  }

  get accounts(): readonly Row<Account>[] {
    return this.#accounts
  }

  account(id: string): Account | null {
    return this.#accounts.find(({ value }) => value.id === id)?.value ?? null
  }

  message(id: string): Message | null {
    return this.#messages.get(id) ?? null
  }

  messagesOf(issue: string): readonly Row<Message>[] {
    return this.#ofIssue.get(issue) ?? []
  }

  /**
   * Sets the given fields. A remediation list replaces the old list (specification 4.4, behaviour
   * rule 2).
   */
  update(id: string, change: IssueChange): Row<Issue> | null {
    const index = this.#issueAt.get(id)
    const standing = index === undefined ? undefined : this.#issues[index]
    if (index === undefined || !standing) return null
    const changed = row({ ...standing.value, ...change, updatedAt: this.#now() })
    this.#issues[index] = changed
    this.updates.set(id, (this.updates.get(id) ?? 0) + 1)
    return changed
  }

  /** Marks all messages, or none if one is unknown. */
  markSensitive(ids: readonly string[], sensitive: boolean): boolean {
    if (ids.some((id) => !this.#messages.has(id))) return false
    for (const id of ids) this.#replace({ ...(this.#messages.get(id) as Message), sensitive })
    return true
  }

  changeSettings(id: string, change: SettingsChange): Row<Account> | null {
    const at = this.#accounts.findIndex(({ value }) => value.id === id)
    const standing = this.#accounts[at]
    if (!standing) return null
    const changed = row(withSettings(standing.value, change))
    this.#accounts[at] = changed
    return changed
  }

  #replace(message: Message): void {
    this.#messages.set(message.id, message)
    const rows = this.#ofIssue.get(message.issue ?? '') ?? []
    const at = rows.findIndex(({ value }) => value.id === message.id)
    if (at >= 0) rows[at] = { value: message, json: JSON.stringify(messageSummary(message)) }
  }

  /**
   * Returns the next time. The clock advances one second with each change, so that tests always see
   * the same times.
   */
  #now(): string {
    this.#ticks += 1
    return new Date(Date.UTC(2026, 9, 1) + this.#ticks * 1000).toISOString()
  }
}
