import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  Menu,
  NavLink,
  ScrollArea,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { type JSX, type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { useFeed } from '../api/feed/index.ts'
import { useSessionOver } from '../api/session.ts'
import { watchFocus } from '../shared/focus/lost-focus.ts'
import { Foreign } from '../shared/foreign.tsx'
import { IconCheck, IconChevronUp, IconDeviceDesktop, IconLogout, IconMoon, IconSearch, IconSun, IconUser } from '../shared/icons.ts'
import { AwayNote } from './away-note.tsx'
import { LiveSign } from './live-sign.tsx'
import { Mark } from './mark.tsx'
import { type Place, places } from './navigation.ts'
import { usePalette } from './palette/use-palette.tsx'
import { PausedSign } from './paused-sign.tsx'
import { useSignOut } from './session/use-sign-out.ts'
import { Keys, ShortcutList, useShortcut } from './shortcuts.tsx'
import { useMay, useWho } from './who.ts'

/** The frame of every page: the navigation, and who is signed in. */
export function Frame({ children }: { readonly children: ReactNode }): JSX.Element {
  const [opened, { toggle, close }] = useDisclosure(false)
  const [path] = useLocation()
  const main = useRef<HTMLElement>(null)
  const may = useMay()
  const { scopes } = useWho()
  const over = useSessionOver()
  const { open: search, palette } = usePalette()
  useFeed(useQueryClient(), !over && scopes.some((scope) => scope.endsWith(':read')))
  const shown = places.filter(({ needs }) => needs === null || may(needs))
  const current = path.split('/')[1] ?? ''
  useEffect(watchFocus, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu of a small screen closes whenever the page changes
  useEffect(close, [path, close])
  return (
    <AppShell
      header={{ height: { base: 48, sm: 0 } }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={0}
      transitionDuration={0}
    >
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <AppShell.Header hiddenFrom="sm" className="bar">
        <Group h="100%" px="sm" gap="sm" wrap="nowrap">
          <Burger opened={opened} onClick={toggle} size="sm" aria-label={opened ? 'Close the navigation' : 'Open the navigation'} />
          <Brand />
          <Group gap="xs" ml="auto" wrap="nowrap">
            <PausedSign short />
            <LiveSign />
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Go to anything" onClick={search}>
              <IconSearch size={20} stroke={1.6} aria-hidden />
            </ActionIcon>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="bar" aria-label="Console" data-opened={opened || undefined}>
        <AppShell.Section p="md" visibleFrom="sm">
          <Brand />
        </AppShell.Section>
        <AppShell.Section px="xs" pb="xs" visibleFrom="sm">
          <UnstyledButton className="search" onClick={search}>
            <IconSearch size={16} stroke={1.6} aria-hidden />
            <span className="cut">Go to …</span>
            <Keys keys="$mod+k" />
          </UnstyledButton>
        </AppShell.Section>
        <AppShell.Section grow component={ScrollArea} px="xs" pt={{ base: 'xs', sm: 0 }}>
          {shown.map((place) => (
            <Entry key={place.path} place={place} active={`/${current}` === place.path} />
          ))}
        </AppShell.Section>
        <AppShell.Section px="md" visibleFrom="sm">
          <Group gap="xs">
            <PausedSign />
            <LiveSign />
          </Group>
        </AppShell.Section>
        <AppShell.Section p="xs">
          <Person />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main className="main" id="main" ref={main} tabIndex={-1}>
        <AwayNote />
        {children}
      </AppShell.Main>
      <ShortcutList />
      {palette}
    </AppShell>
  )
}

function Brand(): JSX.Element {
  return (
    <Link href="/" className="brand">
      <Mark /> <span>Tocsin</span>
    </Link>
  )
}

function Entry({ place: { path, name, icon: Icon, key }, active }: { readonly place: Place; readonly active: boolean }): JSX.Element {
  const [, go] = useLocation()
  useShortcut(`g ${key}`, `Go to ${name}`, () => go(path), 'Everywhere')
  return (
    <NavLink
      component={Link}
      href={path}
      label={name}
      active={active}
      aria-current={active ? 'page' : undefined}
      leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
      className="place"
    />
  )
}

function Person(): JSX.Element {
  const { name } = useWho()
  const signOut = useSignOut()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme()
  return (
    <Group gap={4} wrap="nowrap">
      <Menu position="top-start" width={200}>
        <Menu.Target>
          <UnstyledButton className="person" aria-label={`Signed in as ${name}`}>
            <IconUser size={18} stroke={1.6} aria-hidden />
            <span className="cut">
              <Foreign value={name} />
            </span>
            <IconChevronUp size={14} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Theme</Menu.Label>
          <Menu.Item leftSection={<IconSun size={16} />} onClick={() => setColorScheme('light')}>
            Light
          </Menu.Item>
          <Menu.Item leftSection={<IconMoon size={16} />} onClick={() => setColorScheme('dark')}>
            Dark
          </Menu.Item>
          <Menu.Item leftSection={<IconDeviceDesktop size={16} />} onClick={() => setColorScheme('auto')}>
            As the system
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item component={Link} href="/start" leftSection={<IconCheck size={16} />}>
            First run
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.mutate()} disabled={signOut.isPending}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={scheme === 'dark' ? 'Use the light theme' : 'Use the dark theme'}
        onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
      >
        {scheme === 'dark' ? <IconSun size={18} stroke={1.6} /> : <IconMoon size={18} stroke={1.6} />}
      </ActionIcon>
    </Group>
  )
}
