import type { Row } from './paging.ts'
import { type Account, type Issue, type Message, messageSummary } from './records.ts'

/** What an update may set. */
export type IssueChange = Partial<Pick<Issue, 'status' | 'classification' | 'assignee' | 'snoozedUntil' | 'remediationActions'>>

export interface Seed {
  readonly issues: readonly Issue[]
  readonly messages: readonly Message[]
  readonly accounts: readonly Account[]
}

/** The tenant: issues, messages and accounts, with the JSON of each record made once a change. */
export class Tenant {
  readonly #issues: Row<Issue>[]
  readonly #issueAt: Map<string, number>
  readonly #messages: Map<string, Message>
  readonly #ofIssue = new Map<string, Row<Message>[]>()
  readonly accounts: readonly Row<Account>[]
  /** How often each issue was updated. */
  readonly updates = new Map<string, number>()
  readonly suspicious = new Set<string>()
  #ticks = 0

  constructor(seed: Seed) {
    this.#issues = seed.issues.map(row)
    this.#issueAt = new Map(seed.issues.map((issue, index) => [issue.id, index]))
    this.#messages = new Map(seed.messages.map((message) => [message.id, message]))
    for (const message of seed.messages) {
      if (message.issue === null) continue
      const rows = this.#ofIssue.get(message.issue) ?? []
      rows.push({ value: message, json: JSON.stringify(messageSummary(message)) })
      this.#ofIssue.set(message.issue, rows)
    }
    this.accounts = seed.accounts.map(row)
  }

  get issues(): readonly Row<Issue>[] {
    return this.#issues
  }

  issue(id: string): Row<Issue> | null {
    const index = this.#issueAt.get(id)
    return index === undefined ? null : (this.#issues[index] ?? null)
  }

  message(id: string): Message | null {
    return this.#messages.get(id) ?? null
  }

  messagesOf(issue: string): readonly Row<Message>[] {
    return this.#ofIssue.get(issue) ?? []
  }

  /** Sets the given fields; a remediation list replaces the one that stood (specification 4.4, behaviour rule 2). */
  update(id: string, change: IssueChange): Row<Issue> | null {
    const index = this.#issueAt.get(id)
    const standing = index === undefined ? undefined : this.#issues[index]
    if (index === undefined || !standing) return null
    const changed = row({ ...standing.value, ...change, updatedAt: this.#now() })
    this.#issues[index] = changed
    this.updates.set(id, (this.updates.get(id) ?? 0) + 1)
    return changed
  }

  /** A clock of its own, one second a change, so that a test sees the same times on every run. */
  #now(): string {
    this.#ticks += 1
    return new Date(Date.UTC(2026, 9, 1) + this.#ticks * 1000).toISOString()
  }
}

function row<T>(value: T): Row<T> {
  return { value, json: JSON.stringify(value) }
}
