import type { SignedInView } from '../../runtime/api/index.ts'
import {
  IconBell,
  IconBinaryTree2,
  IconBriefcase,
  IconHome,
  IconPlayerPlay,
  IconPlugConnected,
  IconScale,
  IconSettings,
  type TablerIcon,
} from '../shared/icons.ts'
import type { Permission } from './who.ts'

/** An entry of the navigation. */
export interface Place {
  readonly path: string
  readonly name: string
  readonly icon: TablerIcon
  /** The second key of its shortcut, after `g`. */
  readonly key: string
  /** The permission without which the page shows nothing. Null: everybody may see it. */
  readonly needs: Permission | null
}

/** The pages of the console, in the order of the navigation. */
export const places: readonly Place[] = [
  { path: '/home', name: 'Home', icon: IconHome, key: 'h', needs: null },
  { path: '/alerts', name: 'Alerts', icon: IconBell, key: 'a', needs: 'alerts:read' },
  { path: '/cases', name: 'Cases', icon: IconBriefcase, key: 'c', needs: 'cases:read' },
  { path: '/decisions', name: 'Decisions', icon: IconScale, key: 'd', needs: 'decisions:read' },
  { path: '/runs', name: 'Runs', icon: IconPlayerPlay, key: 'r', needs: 'runs:read' },
  { path: '/playbooks', name: 'Playbooks', icon: IconBinaryTree2, key: 'p', needs: 'playbooks:read' },
  { path: '/integrations', name: 'Integrations', icon: IconPlugConnected, key: 'i', needs: 'connections:read' },
  { path: '/settings', name: 'Settings', icon: IconSettings, key: 's', needs: null },
]

/** A part of the settings, each under `/settings/`. */
export interface SettingsPlace {
  readonly path: string
  readonly name: string
  readonly needs: Permission | null
  /** Whether only a key of all organizations sees it. */
  readonly ofAll?: true
}

/** The parts of the settings, in the order of their tabs. */
export const settingsPlaces = [
  { path: 'pauses', name: 'Pauses', needs: 'pauses:read' },
  { path: 'organizations', name: 'Organizations', needs: 'organizations:read' },
  { path: 'providers', name: 'Providers', needs: 'providers:read' },
  { path: 'keys', name: 'API keys', needs: 'keys:read' },
  { path: 'fetches', name: 'Fetches', needs: 'connections:read' },
  { path: 'policy', name: 'Policy', needs: 'policy:read' },
  { path: 'webhooks', name: 'Webhooks', needs: 'webhooks:read' },
  { path: 'audit', name: 'Audit log', needs: 'audit:read', ofAll: true },
  { path: 'health', name: 'Health', needs: null },
] as const satisfies readonly SettingsPlace[]

/** Returns whether a key sees a part of the settings. */
export function seesPart({ needs, ofAll }: SettingsPlace, who: SignedInView): boolean {
  return (needs === null || who.scopes.includes(needs)) && (ofAll !== true || who.all_organizations)
}
