import type { AgentStatus, Identity } from '../hub/identity.ts'

/** An agent, and what it does. */
interface Presence {
  readonly agent: Identity
  readonly status: AgentStatus
}

/** What a process tells the others. */
export interface Notice {
  /** Where the others reach it: its scheme, host and port. */
  readonly address: string
  readonly agents: readonly Presence[]
}

/** Tells the other processes which agents are here, and knows which are there. It is a hint: a process that is asked says so itself. */
export interface Directory {
  /** Replaces what this process has told. */
  publish(notice: Notice): void
  /** Returns what the other processes tell. Empty if nobody answers in time. Never rejects. */
  others(): Promise<readonly Notice[]>
  close(): Promise<void>
}

/** The directory of a process that has no others, as on the embedded store. */
export const noOthers: Directory = {
  publish() {},
  others: async () => [],
  close: async () => {},
}
