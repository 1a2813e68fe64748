import { createHmac } from 'node:crypto'
import type { EventId, Ids, Millis, Sealed, Webhook, WebhookId } from '../../domain/index.ts'
import type { Vault } from './vault.ts'

/** The name under which the secret of a webhook is encrypted. */
export const signingSecret = 'signing_secret'
/** The prefix of a secret as people see it. The bytes follow as base64. */
const prefix = 'whsec_'
const secretBytes = 32

/** The parts of a delivery that are signed. */
interface Signable {
  readonly id: EventId | string
  /** The time of the attempt, in whole seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/**
 * Makes the secrets of webhooks, and signs with them: HMAC-SHA256 of `<id>.<timestamp>.<body>`, the
 * symmetric form of Standard Webhooks.
 */
export interface WebhookSigner {
  /** Makes a secret. `value` is shown once; `sealed` is stored. */
  create(webhook: WebhookId): { readonly value: string; readonly sealed: Sealed }
  /**
   * Returns the value of `webhook-signature`: one signature, or two during a rotation.
   * @throws TocsinError `secret_unreadable`
   */
  sign(webhook: Pick<Webhook, 'id' | 'secret' | 'previous'>, message: Signable, now: Millis): string
}

/** Makes and seals the secrets of webhooks, and signs deliveries with them as Standard Webhooks says. */
export function createWebhookSigner(vault: Vault, ids: Ids): WebhookSigner {
  const signature = (webhook: WebhookId, sealed: Sealed, { id, timestamp, body }: Signable): string => {
    const key = Buffer.from(vault.open(webhook, signingSecret, sealed).slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  }

  return {
    create(webhook) {
      const value = `${prefix}${Buffer.from(ids.secret(secretBytes), 'base64url').toString('base64')}`
      return { value, sealed: vault.seal(webhook, signingSecret, value) }
    },
    sign({ id, secret, previous }, message, now) {
      const signing = previous && now < previous.until ? [secret, previous.secret] : [secret]
      return signing.map((sealed) => signature(id, sealed, message)).join(' ')
    },
  }
}
