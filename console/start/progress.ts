import { queryOptions } from '@tanstack/react-query'
import type { AlertItemView, ConnectionAnswer, KeyView, NamedView, PageView, PlaybookView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { rhythm } from '../api/rhythm.ts'
import type { Permission } from '../shell/who.ts'

/** The steps of the first run, in their order. */
export type StepName = 'organization' | 'provider' | 'connection' | 'key' | 'playbook' | 'alert' | 'case'

/** What the installation has so far. A list is empty if the key may not see it. */
export interface Installation {
  readonly organizations: readonly NamedView[]
  readonly providers: readonly NamedView[]
  readonly connections: readonly ConnectionAnswer[]
  readonly keys: readonly KeyView[]
  readonly playbooks: readonly PlaybookView[]
  /** The newest alert, or none. */
  readonly alerts: readonly AlertItemView[]
  /** The newest alert with a case, or none. */
  readonly cases: readonly { readonly case_id: string }[]
}

const enough = 200

/** What exists already. It decides which steps of the first run are done. */
export function installationFor(may: (permission: Permission) => boolean) {
  return queryOptions({
    queryKey: ['installation'],
    queryFn: async ({ signal }): Promise<Installation> => {
      const read = async <Item>(permission: Permission, path: string): Promise<readonly Item[]> =>
        may(permission) ? (await ask<PageView<Item>>('GET', `/platformapi/${path}`, undefined, signal)).items : []
      const [organizations, providers, connections, keys, playbooks, alerts, cases] = await Promise.all([
        read<NamedView>('organizations:read', `organizations?limit=${enough}`),
        read<NamedView>('providers:read', `providers?limit=${enough}`),
        read<ConnectionAnswer>('connections:read', 'connections?limit=1'),
        read<KeyView>('keys:read', `keys?limit=${enough}`),
        read<PlaybookView>('playbooks:read', 'playbooks'),
        read<AlertItemView>('alerts:read', 'alerts?limit=1'),
        read<{ readonly case_id: string }>('cases:read', 'cases?limit=1'),
      ])
      return { organizations, providers, connections, keys, playbooks, alerts, cases }
    },
    refetchInterval: rhythm,
  })
}

/** Returns the steps that are done. */
export function doneSteps({ organizations, providers, connections, keys, playbooks, alerts, cases }: Installation): ReadonlySet<StepName> {
  const sourceKeys = keys.filter(({ scopes, revoked_at }) => revoked_at === null && scopes.includes('alerts:write') && !scopes.includes('admin'))
  const found: Readonly<Record<StepName, boolean>> = {
    organization: organizations.length > 0,
    provider: providers.length > 0,
    connection: connections.length > 0,
    key: sourceKeys.length > 0,
    playbook: playbooks.some(({ kind }) => kind === 'playbook'),
    alert: alerts.length > 0,
    case: cases.length > 0,
  }
  return new Set((Object.keys(found) as StepName[]).filter((name) => found[name]))
}
