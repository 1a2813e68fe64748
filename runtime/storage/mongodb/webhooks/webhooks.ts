import { TtlCache } from '../../../caches/index.ts'
import type { EventType } from '../../../domain/index.ts'
import { type Clock, isTold, type OrganizationId, reaches, type Webhook } from '../../../domain/index.ts'
import type { WebhookStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import type { Collections } from '../database/index.ts'
import { pageOf, within } from '../database/index.ts'
import type { WebhookDocument } from './webhook-documents.ts'

function toWebhook({ _id, ...webhook }: WebhookDocument): Webhook {
  return { id: _id, ...webhook }
}

/**
 * Knows whether a webhook wants certain events. Its list of webhooks is at most a second old. A fact that no
 * webhook wants is not marked and costs nothing.
 */
export class Audience {
  readonly #webhooks: Collections['webhooks']
  readonly #enabled: TtlCache<readonly Webhook[]>

  constructor({ webhooks }: Pick<Collections, 'webhooks'>, clock: Clock) {
    this.#webhooks = webhooks
    this.#enabled = new TtlCache(clock, 1_000, 1)
  }

  /** Begins to read the webhooks, so that `isTold` finds them cached. An error appears when `isTold` reads the same. */
  lookAhead(): void {
    void this.#read().catch(() => undefined)
  }

  #read(): Promise<readonly Webhook[]> {
    return this.#enabled.get('', async () => (await this.#webhooks.find({ disabled: null }).toArray()).map(toWebhook))
  }

  async isTold(type: EventType, organization: OrganizationId): Promise<boolean> {
    const enabled = await this.#read()
    return enabled.some((webhook) => isTold(webhook, type, organization))
  }

  forget(): void {
    this.#enabled.clear()
  }
}

/** The `WebhookStore` of the port on MongoDB. */
export function webhookStore({ webhooks, deliveries }: Collections, audience: Audience): WebhookStore {
  return {
    async create(scope, { id, ...webhook }) {
      mustReach(reaches(scope, webhook.organization), 'webhook')
      await webhooks.insertOne({ _id: id, ...webhook })
      audience.forget()
    },
    async get(scope, id) {
      const found = await webhooks.findOne({ _id: id, ...within(scope) })
      return found && toWebhook(found)
    },
    async list(scope, { after, limit }) {
      const found = await webhooks
        .find({ ...within(scope), ...(after !== null && { _id: { $gt: after } }) })
        .sort({ _id: 1 })
        .limit(limit + 1)
        .toArray()
      return pageOf(found.map(toWebhook), limit)
    },
    count: (scope, organization) => webhooks.countDocuments({ $and: [{ organization }, within(scope)] }),
    async enabled(scope) {
      return (
        await webhooks
          .find({ disabled: null, ...within(scope) })
          .sort({ _id: 1 })
          .toArray()
      ).map(toWebhook)
    },
    async revise(scope, { id, ...next }) {
      if (!reaches(scope, next.organization)) return 'changed'
      const { matchedCount } = await webhooks.replaceOne({ _id: id, revision: next.revision - 1, ...within(scope) }, next)
      audience.forget()
      return matchedCount > 0 ? 'revised' : 'changed'
    },
    async remove(scope, id) {
      // Remove the webhook first. If a crash leaves deliveries behind, nobody sends them, and they are pruned with age.
      const { deletedCount } = await webhooks.deleteOne({ _id: id, ...within(scope) })
      audience.forget()
      if (deletedCount > 0) await deliveries.deleteMany({ webhook: id })
      return deletedCount > 0
    },
  }
}
