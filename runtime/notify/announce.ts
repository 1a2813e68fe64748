import {
  type Clock,
  deliveryId,
  eventId,
  type Fact,
  isTold,
  type NewDelivery,
  nameOf,
  type OrganizationId,
  systemScope,
  type Webhook,
  type WebhookId,
} from '../domain/index.ts'
import type { Store } from '../storage/index.ts'
import { bodyOf } from './message.ts'

/** How many facts are read at once. This bounds the memory for them and their deliveries. */
const factsAtOnce = 250
/** How many deliveries are stored at once. */
const deliveriesAtOnce = 500

function organizationOf(fact: Fact): OrganizationId {
  if (fact.type === 'case.opened') return fact.case.organization
  return fact.type === 'run.failed' ? fact.run.organization : fact.decision.organization
}

function deliveriesOf(facts: readonly Fact[], webhooks: readonly Webhook[], codes: ReadonlyMap<OrganizationId, string>, now: number): NewDelivery[] {
  return facts.flatMap((fact) => {
    const organization = organizationOf(fact)
    const told = webhooks.filter((webhook) => isTold(webhook, fact.type, organization))
    if (told.length === 0) return []
    const event = eventId(nameOf(fact))
    const body = bodyOf(fact, codes.get(organization) ?? null)
    return told.map((webhook) => ({
      id: deliveryId(event, webhook.id),
      webhook: webhook.id,
      organization: webhook.organization,
      event,
      type: fact.type,
      body,
      createdAt: now,
    }))
  })
}

/**
 * Creates a delivery of each fact for each webhook that wants it, then clears the fact's mark. If the process
 * dies in between, the deliveries are created again under the same ids, which changes nothing. Any number of
 * processes may do this at once.
 * @returns the webhooks that have something to send
 */
export async function announceFacts(store: Store, clock: Clock): Promise<ReadonlySet<WebhookId>> {
  const reached = new Set<WebhookId>()
  for (;;) {
    const facts = await store.outbox.pending(systemScope, factsAtOnce)
    if (facts.length === 0) return reached
    // Read after the facts, so this includes every webhook for which a fact was marked.
    const webhooks = await store.webhooks.enabled(systemScope)
    const organizations = await store.organizations.byId(systemScope, [...new Set(facts.map(organizationOf))])
    const deliveries = deliveriesOf(facts, webhooks, new Map(organizations.map(({ id, code }) => [id, code])), clock.now())
    for (let from = 0; from < deliveries.length; from += deliveriesAtOnce)
      await store.deliveries.add(systemScope, deliveries.slice(from, from + deliveriesAtOnce))
    await store.outbox.clear(systemScope, facts.map(nameOf))
    for (const { webhook } of deliveries) reached.add(webhook)
    if (facts.length < factsAtOnce) return reached
  }
}
