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

/** Facts of a type that are read together; so many, and what is made of them, are in memory at once. */
const factsAtOnce = 250
/** Deliveries that are stored together. */
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
 * Makes a delivery of each fact for each webhook that is told of it, and then takes the fact's mark away. Whoever dies in between has
 * made deliveries that are made once more, under the same ids, which changes nothing. Any number of processes may do it at once.
 * @returns the webhooks that have something to be sent
 */
export async function announceFacts(store: Store, clock: Clock): Promise<ReadonlySet<WebhookId>> {
  const reached = new Set<WebhookId>()
  for (;;) {
    const facts = await store.outbox.pending(systemScope, factsAtOnce)
    if (facts.length === 0) return reached
    // Read after the facts: a webhook for whose sake one was marked is among them.
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
