import type { WebhookSigner } from '../connection/index.ts'
import type { Clock, Millis, Webhook } from '../domain/index.ts'
import type { Egress, OutboundStream } from '../egress/index.ts'
import { isTocsinError, messageOf } from '../errors/index.ts'
import { retryAfterOf } from '../plugin/index.ts'

/** From the beginning of an attempt until its answer has come, with as much of its body as is read. */
const attemptTimeout: Millis = 10_000
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
  /** Null: it was answered with 2xx. In words that may be shown to whoever owns the webhook. */
  readonly error: string | null
  /** What only the operator may know: names, addresses and certificates of a network that may be the operator's own. */
  readonly detail: string | null
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
    const code = isTocsinError(error) ? error.code : 'internal'
    return { status: null, error: shown(code), detail: messageOf(error), retryAfter: null }
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

/** As `egress` begins to say them. */
const tlsFaults = [
  'Nobody trusted vouches for the certificate',
  'The certificate is for another host name',
  'The certificate is not valid now',
  'TLS failed',
]

/**
 * A failure in words that are the same whether a name does not exist, leads to an address that may not be called, or has nobody who listens:
 * a tenant must not find out by tests what there is in the operator's network.
 */
function shown(code: string, detail = ''): string {
  if (code === 'call_timeout') return `call_timeout: No answer within ${attemptTimeout} ms.`
  // Who gets as far as TLS has reached an address that may be called.
  const ofTls = tlsFaults.find((fault) => detail.startsWith(fault))
  if (ofTls !== undefined) return `network: ${ofTls}. The log of Tocsin says more.`
  if (code === 'network' || code === 'egress_refused') return 'network: The receiver cannot be reached. The log of Tocsin says more.'
  return `${code}: It could not be sent. The log of Tocsin says more.`
}

function attempted(result: OutboundStream, late: boolean): Attempted {
  if (result.effect !== 'done') {
    return { status: null, error: shown(late ? 'call_timeout' : result.code, result.message), detail: result.message, retryAfter: null }
  }
  const { status, headers } = result.answer
  const seconds = retryAfterOf(headers)
  if (status >= 200 && status < 300) return { status, error: null, detail: null, retryAfter: null }
  return { status, error: `It answered ${status}.`, detail: null, retryAfter: seconds === null ? null : seconds * 1_000 }
}
