import type { WebhookSigner } from '../connection/index.ts'
import type { Clock, Millis, Webhook } from '../domain/index.ts'
import type { Egress, OutboundStream } from '../egress/index.ts'
import { isTocsinError, messageOf } from '../errors/index.ts'
import { retryAfterOf } from '../plugin/index.ts'

/** From the beginning of an attempt until its answer has come, with as much of its body as is read. */
export const attemptTimeout: Millis = 10_000
/** Bytes of an answer that are read, so that the connection can be used again; nothing of them is kept. */
const mostAnswer = 64 * 1024

/** What sends a delivery. */
export interface AttemptMeans {
  readonly egress: Egress
  readonly signer: WebhookSigner
  readonly clock: Clock
  /** Of the program, for the header `user-agent`. */
  readonly version: string
}

/** How an attempt went. */
export interface Attempted {
  readonly status: number | null
  /** Null: it was answered with 2xx. */
  readonly error: string | null
  /** So long the receiver asks not to be called. */
  readonly retryAfter: Millis | null
}

/** Sends a message to a webhook, signed, once; redirects are answers. Never rejects. @param signal aborted when the process stops */
export async function attempt(means: AttemptMeans, webhook: Webhook, id: string, body: string, signal: AbortSignal): Promise<Attempted> {
  const { egress, clock } = means
  const late = new AbortController()
  const cancel = clock.after(attemptTimeout, () => late.abort())
  try {
    const url = new URL(webhook.url)
    const request = { method: 'POST', url, headers: headersOf(means, webhook, id, body), body, origins: [url.origin], plainHttp: true }
    const limits = { timeout: attemptTimeout, maxAnswer: mostAnswer, sendBy: null }
    const result = await egress.open({ ...request, ...limits }, AbortSignal.any([signal, late.signal]))
    if (result.effect === 'done') await drain(result)
    return attempted(result, late.signal.aborted)
  } catch (error) {
    const why = isTocsinError(error) ? `${error.code}: ${error.message}` : `internal: ${messageOf(error)}`
    return { status: null, error: why, retryAfter: null }
  } finally {
    cancel()
  }
}

function headersOf({ signer, clock, version }: AttemptMeans, webhook: Webhook, id: string, body: string): Readonly<Record<string, string>> {
  const now = clock.now()
  const timestamp = Math.floor(now / 1_000)
  return {
    'content-type': 'application/json',
    'user-agent': `Tocsin/${version}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signer.sign(webhook, { id, timestamp, body }, now),
  }
}

/** The status says it all: what becomes of the body is of no interest. */
async function drain({ answer }: Extract<OutboundStream, { effect: 'done' }>): Promise<void> {
  try {
    for await (const _ of answer.body);
  } catch {
    answer.cancel()
  }
}

function attempted(result: OutboundStream, late: boolean): Attempted {
  if (result.effect !== 'done') {
    const why = late ? `call_timeout: No answer within ${attemptTimeout} ms.` : `${result.code}: ${result.message}`
    return { status: null, error: why, retryAfter: null }
  }
  const { status, headers } = result.answer
  const seconds = retryAfterOf(headers)
  if (status >= 200 && status < 300) return { status, error: null, retryAfter: null }
  return { status, error: `It answered ${status}.`, retryAfter: seconds === null ? null : seconds * 1_000 }
}
