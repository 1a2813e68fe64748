import type { AgentId, AlertUuid, ConnectionId, FetchId, KeyId, OrganizationId, RunId, WebhookId } from '../domain/index.ts'
import type { Change, ChangeKind } from './change.ts'

/**
 * An object that a write has touched, as far as the write itself tells. Its owner is looked up later, for all touches of a batch together.
 * `caseOf` is the case of an alert. `known` needs no lookup.
 */
export type Touch =
  | { readonly kind: 'known'; readonly change: Change }
  | { readonly kind: 'alert'; readonly alert: AlertUuid; readonly change: ChangeKind }
  | { readonly kind: 'run'; readonly run: RunId; readonly change: ChangeKind }
  | { readonly kind: 'caseOf'; readonly alert: AlertUuid; readonly change: ChangeKind }
  | { readonly kind: 'policy'; readonly organization: OrganizationId }
  | { readonly kind: 'connection'; readonly connection: ConnectionId }
  | { readonly kind: 'agent'; readonly agent: AgentId }
  | { readonly kind: 'webhook'; readonly webhook: WebhookId }
  | { readonly kind: 'fetch'; readonly fetch: FetchId }
  | { readonly kind: 'key'; readonly key: KeyId; readonly change: ChangeKind }

/** Returns the key of what was touched. Touches with the same key are one. */
export function touchKey(touch: Touch): string {
  switch (touch.kind) {
    case 'known':
      return `${touch.change.object} ${touch.change.id ?? ''}`
    case 'alert':
      return `alert ${touch.alert}`
    case 'run':
      return `run ${touch.run}`
    case 'caseOf':
      return `case of ${touch.alert}`
    case 'policy':
      return `policy ${touch.organization}`
    case 'connection':
      return `connection ${touch.connection}`
    case 'agent':
      return `agent ${touch.agent}`
    case 'webhook':
      return `webhook ${touch.webhook}`
    case 'fetch':
      return `fetch ${touch.fetch}`
    case 'key':
      return `key ${touch.key}`
  }
}

/** Returns the kind of change of a touch. */
export function kindOfTouch(touch: Touch): ChangeKind {
  if (touch.kind === 'known') return touch.change.change
  return 'change' in touch ? touch.change : 'changed'
}

/** Returns the touch with another kind of change. Touches without a kind stay as they are. */
export function withKind(touch: Touch, kind: ChangeKind): Touch {
  if (touch.kind === 'known') return { kind: 'known', change: { ...touch.change, change: kind } }
  return 'change' in touch ? { ...touch, change: kind } : touch
}
