import type { Logger } from 'pino'
import {
  asId,
  type Clock,
  type Delivery,
  type DeliveryId,
  type EventType,
  type Ids,
  type Millis,
  type OrganizationId,
  type Principal,
  type Scope,
  scopeOf,
  type Webhook,
  type WebhookId,
} from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import type { DeliveryQuery, Page, Store } from '../storage/index.ts'
import { type AttemptDeps, type Attempted, attempt } from './attempt.ts'

/** A webhook as people see it, without its secret. */
export interface WebhookView extends Omit<Webhook, 'secret' | 'previous'> {
  /** Null: for all organizations. */
  readonly organizationCode: string | null
  /** Until when deliveries are also signed with the secret before the last rotation. Null: they are not. */
  readonly previousUntil: Millis | null
}

export interface WebhookDraft {
  readonly organizationCode: string | null
  readonly url: string
  readonly description: string
  readonly events: readonly EventType[]
  readonly enabled: boolean
}

/** The changed fields. Absent fields stay as they are. */
export interface WebhookChange extends Partial<Omit<WebhookDraft, 'organizationCode'>> {
  /** The revision that the change is based on. */
  readonly revision: number
}

/** A view, with the secret. The secret is shown only this once. */
export interface WithSecret {
  readonly webhook: WebhookView
  readonly secret: string
}

export interface WebhookTest extends Omit<Attempted, 'retryAfter' | 'detail'> {
  readonly took: Millis
}

interface WebhooksDeps extends AttemptDeps {
  readonly store: Store
  readonly logger: Logger
  readonly clock: Clock
  readonly ids: Ids
}

/**
 * The most webhooks of one organization, and of all organizations together. Each is told every event, so the
 * number is limited.
 */
export const mostWebhooks = 50

/**
 * How many tests of webhooks one owner may make in a span of time, in one process. An owner is an
 * organization, or all organizations together.
 */
const [mostTests, testSpan]: readonly [number, Millis] = [10, 60_000]

function invalid(message: string): TocsinError {
  return new TocsinError('webhook_invalid', message, [{ field: 'url', message }])
}

function changed(): TocsinError {
  return new TocsinError('webhook_changed', 'The webhook was changed in the meantime.')
}

/**
 * Creates, changes and tests webhooks for people. Secrets are encrypted at once. They are shown when they are
 * created, and never again.
 */
export class Webhooks {
  readonly #deps: WebhooksDeps
  /** When the webhooks of an organization were tested recently. Empty key: webhooks of all organizations. */
  readonly #tests = new Map<OrganizationId | '', readonly Millis[]>()

  constructor(deps: WebhooksDeps) {
    this.#deps = deps
  }

  /**
   * Creates a webhook. Concurrent requests may together exceed the limit by a few.
   * @throws TocsinError `webhook_invalid`, `webhooks_exceeded`, `organization_unknown`,
   * `organization_forbidden`
   */
  async create(principal: Principal, draft: WebhookDraft): Promise<WithSecret> {
    const { store, ids, clock, signer } = this.#deps
    this.#checkUrl(draft.url)
    const organization = await this.#ownerOf(principal, draft.organizationCode)
    if ((await store.webhooks.count(scopeOf(principal), organization)) >= mostWebhooks) {
      const whose = organization === null ? 'All organizations together' : `The organization ${draft.organizationCode}`
      throw new TocsinError('webhooks_exceeded', `${whose} can have no more than ${mostWebhooks} webhooks.`)
    }
    const id = asId<WebhookId>(ids.uuid())
    const { value, sealed } = signer.create(id)
    const now = clock.now()
    const webhook: Webhook = {
      id,
      organization,
      url: draft.url,
      description: draft.description,
      events: draft.events,
      disabled: draft.enabled ? null : 'by_hand',
      secret: sealed,
      previous: null,
      revision: 1,
      createdAt: now,
      createdBy: principal.id,
      modifiedAt: now,
    }
    await store.webhooks.create(scopeOf(principal), webhook)
    return { webhook: await this.#view(scopeOf(principal), webhook), secret: value }
  }

  async list(scope: Scope, page: { readonly after: WebhookId | null; readonly limit: number }): Promise<Page<WebhookView>> {
    const { items, more } = await this.#deps.store.webhooks.list(scope, page)
    return { items: await this.#views(scope, items), more }
  }

  /** @throws TocsinError `webhook_unknown` */
  async get(scope: Scope, id: WebhookId): Promise<WebhookView> {
    return this.#view(scope, await this.#find(scope, id))
  }

  /** @throws TocsinError `webhook_unknown`, `webhook_changed`, `webhook_invalid` */
  async revise(scope: Scope, id: WebhookId, change: WebhookChange): Promise<WebhookView> {
    const standing = await this.#find(scope, id)
    const { revision, enabled, ...plain } = change
    if (standing.revision !== revision) throw changed()
    if (plain.url !== undefined) this.#checkUrl(plain.url)
    const disabled = enabled === undefined ? standing.disabled : enabled ? null : (standing.disabled ?? 'by_hand')
    const saved = await this.#save(scope, { ...standing, ...plain, disabled })
    const { store, clock } = this.#deps
    // A process may create a delivery right now. It finds the webhook disabled when the delivery is due.
    if (disabled !== null) await store.deliveries.abandon(scope, id, { at: clock.now(), status: null, error: 'The webhook is disabled.' })
    return this.#view(scope, saved)
  }

  /** @throws TocsinError `webhook_unknown` */
  async remove(scope: Scope, id: WebhookId): Promise<void> {
    if (!(await this.#deps.store.webhooks.remove(scope, id))) unknown()
  }

  /**
   * Creates a new secret. Deliveries are also signed with the one before it for `overlap`, so that the
   * receiver can change over without losing anything. Older secrets are forgotten.
   * @throws TocsinError `webhook_unknown`, `webhook_changed`
   */
  async rotate(scope: Scope, id: WebhookId, overlap: Millis): Promise<WithSecret> {
    const { signer, clock } = this.#deps
    const standing = await this.#find(scope, id)
    const { value, sealed } = signer.create(id)
    const previous = overlap > 0 ? { secret: standing.secret, until: clock.now() + overlap } : null
    const saved = await this.#save(scope, { ...standing, secret: sealed, previous })
    return { webhook: await this.#view(scope, saved), secret: value }
  }

  /**
   * Sends one ping at once, even to a disabled webhook.
   * @throws TocsinError `webhook_unknown`, `webhook_tests_exceeded`
   */
  async test(scope: Scope, id: WebhookId, signal: AbortSignal): Promise<WebhookTest> {
    const { clock, ids } = this.#deps
    const webhook = await this.#find(scope, id)
    this.#countTest(webhook)
    const began = clock.now()
    const data = { webhook_id: id }
    const body = JSON.stringify({ type: 'webhook.ping', timestamp: new Date(began).toISOString(), data })
    const { status, error, detail } = await attempt(this.#deps, webhook, `webhook_ping-${ids.uuid()}`, body, signal)
    if (error !== null) this.#deps.logger.info({ webhook: id, status, error, detail }, 'a test of a webhook failed')
    return { status, error, took: clock.now() - began }
  }

  /** @throws TocsinError `webhook_unknown` */
  async deliveries(scope: Scope, query: DeliveryQuery): Promise<Page<Delivery>> {
    await this.#find(scope, query.webhook)
    return this.#deps.store.deliveries.list(scope, query)
  }

  /**
   * Sends a delivery again, under the same id.
   * @throws TocsinError `webhook_unknown`, `webhook_disabled`, `delivery_unknown`
   */
  async redeliver(scope: Scope, id: WebhookId, delivery: DeliveryId): Promise<Delivery> {
    const { deliveries } = this.#deps.store
    const { disabled } = await this.#find(scope, id)
    if (disabled !== null) throw new TocsinError('webhook_disabled', 'Nothing is delivered to a disabled webhook.')
    const found = await deliveries.get(scope, delivery)
    const again = found?.webhook === id ? await deliveries.again(scope, delivery) : null
    if (!again) throw new TocsinError('delivery_unknown', 'No delivery of the webhook has this id.')
    return again
  }

  /**
   * Counts a test, because each test is a request to an address that a tenant chooses.
   * @throws TocsinError `webhook_tests_exceeded`
   */
  #countTest({ organization }: Webhook): void {
    const now = this.#deps.clock.now()
    const owner = organization ?? ''
    const recent = (this.#tests.get(owner) ?? []).filter((at) => now - at < testSpan)
    if (recent.length >= mostTests)
      throw new TocsinError('webhook_tests_exceeded', `Webhooks of an organization are tested ${mostTests} times in ${testSpan / 1_000} s at most.`)
    this.#tests.set(owner, [...recent, now])
    for (const [other, times] of this.#tests) if (times.every((at) => now - at >= testSpan)) this.#tests.delete(other)
  }

  async #find(scope: Scope, id: WebhookId): Promise<Webhook> {
    return (await this.#deps.store.webhooks.get(scope, id)) ?? unknown()
  }

  async #save(scope: Scope, next: Webhook): Promise<Webhook> {
    const { store, clock } = this.#deps
    const saved = { ...next, revision: next.revision + 1, modifiedAt: clock.now() }
    if ((await store.webhooks.revise(scope, saved)) === 'changed') throw changed()
    return saved
  }

  #checkUrl(text: string): void {
    if (!URL.canParse(text)) throw invalid('It is not a URL.')
    const url = new URL(text)
    if (url.hash !== '') throw invalid('It has a fragment, which is never sent.')
    const objection = this.#deps.egress.objection({ url, origins: [url.origin], route: null, plainHttp: true })
    if (objection !== null) throw invalid(objection)
  }

  async #ownerOf(principal: Principal, code: string | null): Promise<OrganizationId | null> {
    if (code === null) {
      if (principal.organizations === 'all') return null
      throw new TocsinError('organization_forbidden', 'Only a key for all organizations may create a webhook for all organizations.', [
        { field: 'organization_code', message: 'is missing' },
      ])
    }
    const [organization] = await this.#deps.store.organizations.byCode(scopeOf(principal), [code])
    if (organization) return organization.id
    throw new TocsinError('organization_unknown', `No organization has the code "${code}".`, [
      { field: 'organization_code', message: 'unknown organization' },
    ])
  }

  async #view(scope: Scope, webhook: Webhook): Promise<WebhookView> {
    const [view] = await this.#views(scope, [webhook])
    return view as WebhookView
  }

  async #views(scope: Scope, webhooks: readonly Webhook[]): Promise<WebhookView[]> {
    const owners = [...new Set(webhooks.flatMap(({ organization }) => organization ?? []))]
    const found = owners.length === 0 ? [] : await this.#deps.store.organizations.byId(scope, owners)
    const codes = new Map(found.map(({ id, code }) => [id, code]))
    const now = this.#deps.clock.now()
    return webhooks.map(({ secret: _, previous, ...rest }) => ({
      ...rest,
      organizationCode: rest.organization === null ? null : (codes.get(rest.organization) ?? null),
      previousUntil: previous && now < previous.until ? previous.until : null,
    }))
  }
}

function unknown(): never {
  throw new TocsinError('webhook_unknown', 'No webhook that this key may see has this id.')
}
