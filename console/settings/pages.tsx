import { Tabs } from '@mantine/core'
import { type ComponentType, type JSX, useEffect, useRef } from 'react'
import { Redirect, useLocation } from 'wouter'
import { Page } from '../shared/page.tsx'
import { seesPart, settingsPlaces } from '../shell/navigation.ts'
import { useWho } from '../shell/who.ts'
import { AuditLog } from './audit/audit.tsx'
import { Fetches } from './fetches/fetches.tsx'
import { Health } from './health.tsx'
import { Keys } from './keys.tsx'
import { Organizations, Providers } from './named-things.tsx'
import { Pauses } from './pauses.tsx'
import { PolicyPage } from './policy.tsx'
import { Webhooks } from './webhooks.tsx'

const contents: Readonly<Record<(typeof settingsPlaces)[number]['path'], ComponentType>> = {
  pauses: Pauses,
  organizations: Organizations,
  providers: Providers,
  keys: Keys,
  fetches: Fetches,
  policy: PolicyPage,
  webhooks: Webhooks,
  audit: AuditLog,
  health: Health,
}

/** The settings: a tab for each part that the key may see. */
export default function SettingsPages(): JSX.Element {
  const [path, go] = useLocation()
  const who = useWho()
  const shown = settingsPlaces.filter((part) => seesPart(part, who))
  const current = shown.find((section) => `${path}/`.startsWith(`/settings/${section.path}/`))
  const [first] = shown
  const tabs = useRef<HTMLDivElement>(null)
  // On a phone, the tabs scroll. The one that is open must be in sight, also after somebody rotates the phone.
  useEffect(() => {
    const list = tabs.current
    if (!current || !list) return
    const observer = new ResizeObserver(() => showOpenTab(list))
    observer.observe(list)
    return () => observer.disconnect()
  }, [current])
  if (!current) return <Redirect to={`/settings/${first?.path ?? 'health'}`} replace />
  return (
    <Page title={current.name} heading="Settings">
      <Tabs value={current.path} onChange={(value) => value !== null && go(`/settings/${value}`)} keepMounted={false}>
        <Tabs.List ref={tabs} mb="lg" className="settings-tabs">
          {shown.map((section) => (
            <Tabs.Tab key={section.path} value={section.path}>
              {section.name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map(({ path: value }) => {
          const Content = contents[value]
          return (
            <Tabs.Panel key={value} value={value}>
              <Content />
            </Tabs.Panel>
          )
        })}
      </Tabs>
    </Page>
  )
}

/** Scrolls only the tabs. The page stays where somebody reads. */
function showOpenTab(list: HTMLElement): void {
  const tab = list.querySelector('[aria-selected="true"]')?.getBoundingClientRect()
  if (!tab) return
  const { x, width } = list.getBoundingClientRect()
  list.scrollLeft += tab.x + tab.width / 2 - (x + width / 2)
}
