import { Center, Code, Loader, Stack, Text } from '@mantine/core'
import type { JSX, ReactNode } from 'react'
import { IconLock } from './icons.ts'
import { Page } from './page.tsx'

/** A part that is being loaded. */
export function Loading({ what = 'Loading' }: { readonly what?: string }): JSX.Element {
  return (
    <Center p="xl" role="status">
      <Loader size="sm" aria-hidden />
      <Text size="sm" c="dimmed" ml="sm">
        {what} …
      </Text>
    </Center>
  )
}

/** A list or part without content: says so, and what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }): JSX.Element {
  return (
    <Stack align="center" gap={4} p="xl" className="empty">
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text size="sm" c="dimmed" component="div" ta="center">
          {children}
        </Text>
      )}
    </Stack>
  )
}

/** A page that the key may not see. */
export function Forbidden({ needs }: { readonly needs: string }): JSX.Element {
  return (
    <Page title="Your key may not see this page">
      <Stack align="flex-start" gap="xs">
        <IconLock size={28} stroke={1.4} aria-hidden />
        <Text>
          It needs the permission <Code>{needs}</Code>. An administrator can give you another key: <Code>tocsin key create</Code>.
        </Text>
      </Stack>
    </Page>
  )
}
