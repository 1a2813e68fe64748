import type { OrganizationId, Scope, Webhook, WebhookId } from '../../domain/index.ts'
import type { Page } from './page.ts'

/** A webhook of all organizations is seen and changed by a scope of all only. */
export interface WebhookStore {
  create(scope: Scope, webhook: Webhook): Promise<void>
  get(scope: Scope, id: WebhookId): Promise<Webhook | null>
  /** By id, rising. */
  list(scope: Scope, page: { readonly after: WebhookId | null; readonly limit: number }): Promise<Page<Webhook>>
  /** Of the organization; null: those of all organizations. Disabled ones too. */
  count(scope: Scope, organization: OrganizationId | null): Promise<number>
  /** Those that are not disabled. */
  enabled(scope: Scope): Promise<readonly Webhook[]>
  /** Replaces the webhook whose revision is `next.revision - 1`. */
  revise(scope: Scope, next: Webhook): Promise<'revised' | 'changed'>
  /** With its deliveries. False when it was not there. */
  remove(scope: Scope, id: WebhookId): Promise<boolean>
}
