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

/**
 * Reads one decrypted credential. @throws TocsinError `connection_invalid` if the connection has no
 * such credential, `secret_unreadable`
 */
export type SecretReader = (name: string) => string

/** What a token endpoint returned. */
export interface Granted {
  readonly token: string
  /** How long the token may be used. Null if unknown: then an answer of the system shows that it has expired. */
  readonly lifetime: Millis | null
  /** The strings of the token answer, by name, except tokens. */
  readonly members: Readonly<Record<string, string>>
}

/** How a scheme gets its access tokens. */
export interface TokenGrant {
  /**
   * Makes the request for a token. @throws TocsinError `template_failed`, `connection_invalid`,
   * `secret_unreadable`
   */
  ask(fields: Readonly<Record<string, string | number | boolean>>, secret: SecretReader): Unsigned
  /** Returns null if the answer has no usable token. */
  read(answer: SkillAnswer): Granted | null
  /** Describes an answer for which `read` returned null. */
  failure(answer: SkillAnswer): CallFailure
  /** Returns whether the answer to another request says that its access token is no longer valid. */
  expired(answer: SkillAnswer): boolean
}

/**
 * One kind of authentication. Only schemes see decrypted secrets; plugins never do. A scheme takes
 * one file here, one line in `index.ts`, and its form in the manifest's grammar.
 */
export interface AuthScheme {
  /** Null if the scheme uses no access tokens. */
  readonly grant: TokenGrant | null
  /**
   * Set if the scheme wraps the body in a text of its own. The body is then written as JSON,
   * whatever the content type says.
   */
  readonly wraps?: true
  /**
   * @param now the time of sending
   * @param token the access token. Null if the scheme has no `grant`
   */
  sign(request: Unsigned, secret: SecretReader, now: Millis, token: string | null): Unsigned
  /**
   * Verifies and unwraps an answer, before error rows see it.
   * @param reading who reads it. A long answer is read in turns
   * @throws TocsinError `answer_signature_invalid`
   */
  open(answer: OutboundAnswer, secret: SecretReader, reading: AnswerReading): OpenedAnswer | Promise<OpenedAnswer>
}
