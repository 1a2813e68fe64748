import { Group, Text, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { useQueries } from '@tanstack/react-query'
import { type JSX, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { Foreign } from '../../shared/foreign.tsx'
import { hasWord } from '../../shared/search/has-word.ts'
import { type Place, places, type SettingsPlace, seesPart, settingsPlaces } from '../navigation.ts'
import { useMay, useWho } from '../who.ts'
import { alertsLike, casesLike, type Found, most, peopleLike, runCalled } from './found.ts'
import { joined } from './joined.ts'
import { assigneesLike, connectionsLike, decisionsLike, keysLike, organizationsLike, playbooksLike } from './listed.ts'

const [store, palette] = createSpotlight()

/** How long the palette waits for the next key before it asks the server, in milliseconds. */
const pause = 180
/** Shorter texts are looked for in the names of pages only. */
const shortest = 2

/** The pages of the navigation, and those of the settings under them. */
const allPages: readonly (SettingsPlace & Pick<Place, 'icon'>)[] = places.flatMap((place) =>
  place.path === '/settings'
    ? [place, ...settingsPlaces.map((part) => ({ ...part, path: `/settings/${part.path}`, name: `Settings: ${part.name}`, icon: place.icon }))]
    : [place],
)

/**
 * Finds pages and objects while somebody types. What the key may not read is not looked for.
 * @param asked how often somebody has asked for it: it opens each time
 * @param begun what somebody has typed while it was loaded
 */
export default function Palette({ asked, begun }: { readonly asked: number; readonly begun: string }): JSX.Element {
  const [text, setText] = useState(begun)
  const [settled] = useDebouncedValue(text.trim(), pause)
  const may = useMay()
  const who = useWho()
  const [, go] = useLocation()
  useEffect(() => {
    if (asked > 0) palette.open()
  }, [asked])

  const wanted = settled.length >= shortest && text.trim().length >= shortest
  // Alerts are searched by their words.
  const searchable = wanted && hasWord(settled) && may('alerts:read')
  const groups = useQueries({
    queries: [
      { ...alertsLike(settled), enabled: searchable },
      { ...casesLike(settled), enabled: wanted && may('cases:read') },
      { ...decisionsLike(settled), enabled: wanted && may('decisions:read') },
      { ...runCalled(settled), enabled: wanted && may('runs:read') },
      { ...playbooksLike(settled), enabled: wanted && may('playbooks:read') },
      { ...connectionsLike(settled), enabled: wanted && may('connections:read') },
      { ...peopleLike(settled), enabled: wanted && may('cases:read') },
      { ...assigneesLike(settled), enabled: wanted && may('cases:read') },
      { ...organizationsLike(settled), enabled: wanted && may('organizations:read') && may('cases:read') },
      { ...keysLike(settled), enabled: wanted && may('keys:read') },
    ],
  })
  const among = wanted ? groups.flatMap(({ data }) => data?.among ?? []) : []
  const some = wanted
    ? joined(
        groups.flatMap(({ data }) => (data && data.found.length > 0 ? [data] : [])),
        most,
      )
    : []
  // What the text names exactly comes first.
  const found = some.toSorted((one, other) => Number(other.exact ?? false) - Number(one.exact ?? false))
  const first = found[0]?.found[0]?.id
  useEffect(() => {
    if (first !== undefined) chooseFirst()
  }, [first])
  const pages = allPages.filter((page) => seesPart(page, who) && page.name.toLowerCase().includes(text.trim().toLowerCase()))
  const searching = text.trim() !== settled || groups.some(({ isFetching }) => isFetching)
  const entered = useRef(false)
  useEffect(() => {
    if (searching || !entered.current) return
    entered.current = false
    openFirst()
  }, [searching])
  // Somebody who types an id and Enter at once means that id, not what was found for the text before.
  const waitForResults = (event: KeyboardEvent): void => {
    entered.current = event.key === 'Enter' && searching
    if (entered.current) event.stopPropagation()
  }
  const count = found.reduce((sum, group) => sum + group.found.length, pages.length)
  const said = searching ? 'Searching' : count === 0 ? 'Nothing found' : `${count} found`

  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={setText}
      shortcut={null}
      scrollable
      maxHeight={420}
      centered={false}
      yOffset="10vh"
      attributes={{ content: { 'aria-label': 'Go to anything' } }}
    >
      <Spotlight.Search
        placeholder="Alert, case, person, playbook, connection, page, or any text in an alert"
        aria-label="What to go to"
        onKeyDownCapture={waitForResults}
      />
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <Spotlight.ActionsList>
        {found.map(({ group, found: entries }) => (
          <Spotlight.ActionsGroup key={group} label={group}>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} onClick={() => go(entry.to)} />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {searchable && (
          <Spotlight.ActionsGroup label="Search">
            <Spotlight.Action onClick={() => go(`/alerts?${new URLSearchParams({ q: settled })}`)}>
              <Text size="sm">
                All alerts with <Foreign value={settled} />
              </Text>
            </Spotlight.Action>
          </Spotlight.ActionsGroup>
        )}
        {pages.length > 0 && (
          <Spotlight.ActionsGroup label="Pages">
            {pages.map(({ path, name, icon: Icon }) => (
              <Spotlight.Action key={path} label={name} leftSection={<Icon size={18} stroke={1.6} aria-hidden />} onClick={() => go(path)} />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {count === 0 && !wanted && !searching && <Spotlight.Empty>{said}</Spotlight.Empty>}
      </Spotlight.ActionsList>
      <Spotlight.Footer>
        {among.length > 0 && (
          <Text size="xs" c="dimmed" role="note">
            Looked through only {among.join(', and ')}.
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {searching ? 'Searching …' : 'Up and down choose, Enter opens, Esc closes.'}
        </Text>
      </Spotlight.Footer>
    </Spotlight.Root>
  )
}

const entriesShown = (): NodeListOf<HTMLElement> | readonly HTMLElement[] =>
  document.getElementById(store.getState().listId)?.querySelectorAll<HTMLElement>('[data-action]') ?? []

function openFirst(): void {
  entriesShown()[0]?.click()
}

/** Chooses the first entry, so that Enter opens it. The library does so only when the text changes, and results come later. */
function chooseFirst(): void {
  for (const [index, entry] of entriesShown().entries()) entry.toggleAttribute('data-selected', index === 0)
  store.updateState((state) => ({ ...state, selected: 0 }))
}

function Entry({ entry: { name, about }, onClick }: { readonly entry: Found; readonly onClick: () => void }): JSX.Element {
  return (
    <Spotlight.Action onClick={onClick}>
      <Group gap="xs" wrap="nowrap" className="palette-entry">
        <Text size="sm" fw={550} className="cut">
          <Foreign value={name} />
        </Text>
        {about !== '' && (
          <Text size="sm" className="cut palette-about">
            <Foreign value={about} />
          </Text>
        )}
      </Group>
    </Spotlight.Action>
  )
}
