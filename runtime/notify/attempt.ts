import type { WebhookSigner } from '../connection/index.ts'
import type { Clock, Millis, Webhook } from '../domain/index.ts'
import { type Egress, type OutboundStream, tlsFaultIn } from '../egress/index.ts'
import { isTocsinError, messageOf } from '../errors/index.ts'
import { durationText } from '../formats/index.ts'
import { retryAfterOf } from '../plugin/index.ts'

/** The time limit of an attempt, from its start until the answer has arrived, with the part of its body that is read. */
const attemptTimeout: Millis = 10_000
/** Bytes of an answer that are read, so that the connection can be reused. None of them are kept. */
const mostAnswer = 64 * 1024

/** What sending a delivery needs. */
export interface AttemptDeps {
  readonly egress: Egress
  readonly signer: WebhookSigner
  readonly clock: Clock
  /** The program's version, for the header `user-agent`. */
  readonly version: string
}

/** How an attempt went. */
export interface Attempted {
  readonly status: number | null
  /** Null if the answer was 2xx. Otherwise a text that may be shown to the webhook's owner. */
  readonly error: string | null
  /** What only the operator may see: names, addresses and certificates of a network that may be the operator's own. */
  readonly detail: string | null
  /** How long the receiver asks to wait. */
  readonly retryAfter: Millis | null
}

/**
 * Sends a signed message to a webhook, once. A redirect counts as an answer. Never rejects.
 * @param signal aborted when the process stops
 */
export async function attempt(deps: AttemptDeps, webhook: Webhook, id: string, body: string, signal: AbortSignal): Promise<Attempted> {
  const { egress, clock } = deps
  const late = new AbortController()
  const cancel = clock.after(attemptTimeout, () => late.abort())
  try {
    const url = new URL(webhook.url)
    const request = { method: 'POST', url, headers: headersOf(deps, webhook, id, body), body, origins: [url.origin], plainHttp: true }
    const limits = { timeout: attemptTimeout, maxAnswer: mostAnswer, sendBy: null }
    const result = await egress.open({ ...request, ...limits, route: null }, AbortSignal.any([signal, late.signal]))
    if (result.effect === 'done') await drain(result)
    return attempted(result, late.signal.aborted)
  } catch (error) {
    const code = isTocsinError(error) ? error.code : 'internal'
    return { status: null, error: shown(code), detail: messageOf(error), retryAfter: null }
  } finally {
    cancel()
  }
}

function headersOf({ signer, clock, version }: AttemptDeps, webhook: Webhook, id: string, body: string): Readonly<Record<string, string>> {
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

/** Reads the rest of the answer. Its content does not matter: the status is enough. */
async function drain({ answer }: Extract<OutboundStream, { effect: 'done' }>): Promise<void> {
  try {
    for await (const _ of answer.body);
  } catch {
    answer.cancel()
  }
}

/**
 * Returns the text for a failure. It is the same whether a name does not exist, leads to a forbidden address,
 * or nobody listens there. A tenant must not learn from tests what exists in the operator's network.
 */
function shown(code: string, detail = ''): string {
  if (code === 'call_timeout') return `call_timeout: No answer within ${durationText(attemptTimeout)}.`
  // A TLS failure means that the address may be called, so naming it reveals nothing.
  const tlsFault = tlsFaultIn(detail)
  if (tlsFault !== null) return `network: ${tlsFault}. The log of Tocsin says more.`
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
