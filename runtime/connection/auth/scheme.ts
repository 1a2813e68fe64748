import type { Millis } from '../../domain/index.ts'
import type { OutboundAnswer } from '../../egress/index.ts'

/** A request before it is authenticated. */
export interface Unsigned {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Reads one decrypted credential. @throws TocsinError `connection_invalid` when the connection has no such credential, `secret_unreadable` */
export type SecretReader = (name: string) => string

/**
 * How one kind of authentication is put around calls, in the host: the only code that sees a decrypted secret. A scheme is one file
 * here and one line in `index.ts`, and its form in the manifest's grammar.
 */
export interface AuthScheme {
  /** @param now when it is sent */
  sign(request: Unsigned, secret: SecretReader, now: Millis): Unsigned
  /** Verifies and unwraps an answer, before error rows see it. @throws TocsinError `answer_signature_invalid` */
  open(answer: OutboundAnswer, secret: SecretReader): OutboundAnswer
}
