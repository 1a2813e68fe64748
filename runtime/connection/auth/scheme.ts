import type { Millis } from '../../domain/index.ts'
import type { OutboundAnswer } from '../../egress/index.ts'

import type { CallFailure, SkillAnswer } from '../../plugin/index.ts'
import type { AnswerReading } from '../answer/answer-reading.ts'
import type { OpenedAnswer } from '../answer/opened-answer.ts'

/** A request before it is authenticated. */
export interface Unsigned {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Reads one decrypted credential. @throws TocsinError `connection_invalid` when the connection has no such credential, `secret_unreadable` */
export type SecretReader = (name: string) => string

/** What a token endpoint gave. */
export interface Granted {
  readonly token: string
  /** How long it may be used; null: until an answer says that it is no longer good. */
  readonly lifetime: Millis | null
  /** Every member of the answer that is a text, and by its name no token. */
  readonly members: Readonly<Record<string, string>>
}

/** How a scheme comes by its access tokens. */
export interface TokenGrant {
  /** @throws TocsinError `template_failed`, `connection_invalid`, `secret_unreadable` */
  ask(fields: Readonly<Record<string, string | number | boolean>>, secret: SecretReader): Unsigned
  /** Null: the answer gives no token that can be used. */
  read(answer: SkillAnswer): Granted | null
  /** What an answer is from which `read` read no token. */
  failure(answer: SkillAnswer): CallFailure
  /** Whether the answer to another request says that its access token is no longer good. */
  expired(answer: SkillAnswer): boolean
}

/**
 * How one kind of authentication is put around calls, in the host: the only code that sees a decrypted secret. A scheme is one file
 * here and one line in `index.ts`, and its form in the manifest's grammar.
 */
export interface AuthScheme {
  /** Null: it uses no access tokens. */
  readonly grant: TokenGrant | null
  /** Whether a body goes out as JSON within a text that the scheme makes, whatever the content type says. Absent: it does not. */
  readonly wraps?: true
  /**
   * @param now when it is sent
   * @param token the access token, of a scheme that has a `grant`
   */
  sign(request: Unsigned, secret: SecretReader, now: Millis, token: string | null): Unsigned
  /**
   * Verifies and unwraps an answer, before error rows see it.
   * @param reading who reads it: a long answer takes turns
   * @throws TocsinError `answer_signature_invalid`
   */
  open(answer: OutboundAnswer, secret: SecretReader, reading: AnswerReading): OpenedAnswer | Promise<OpenedAnswer>
}
