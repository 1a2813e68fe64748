/** How a topic reports to its process. */
export interface TopicListener {
  /** Another process has sent this text. */
  received(text: string): void
  /** Messages of other processes may have been lost. */
  missed(): void
}

/** One kind of messages between the processes of an installation. A message is a hint: it may be lost. Then listeners learn that they missed something. */
export interface Topic {
  /** Whether another process listens. If not, `send` is not needed. */
  readonly wanted: boolean
  /** Whether this process listens, and Redis has said that no other one does. False while nobody can say so. */
  readonly alone: boolean
  /** Sets the listener of this process. It hears nothing until `join`. */
  listen(listener: TopicListener): void
  /** Asks the other processes to send. Resolves when they do, or when they cannot be reached now. Never rejects. */
  join(): Promise<void>
  leave(): void
  /** Asks Redis whether another process listens. Never rejects. */
  ask(): Promise<void>
  /** Sends a text to the other processes. Resolves when Redis has it or has lost it. Never rejects. */
  send(text: string): Promise<void>
  /** Tells the other processes that they have missed something. Resolves like `send`. */
  sendMissed(): Promise<void>
}

/** All topics of one process. */
export interface Hints {
  /** Returns the topic with this name, always the same one. Null if there are no other processes, as on the embedded store. */
  topic(name: string): Topic | null
  close(): void
}

/** The hints of a process that has no others. */
export const noOtherProcesses: Hints = { topic: () => null, close() {} }
