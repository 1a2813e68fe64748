import { Badge, Group, Stack, Text } from '@mantine/core'
import type { JSX } from 'react'
import { Link } from 'wouter'
import type { AlertDetailsView } from '../../runtime/api/index.ts'
import { Copy } from '../shared/copy.tsx'
import { Foreign } from '../shared/foreign.tsx'

const names: Readonly<Record<string, string>> = {
  email_address: 'E-mail',
  user_name: 'User',
  ip_address: 'Address',
  domain: 'Host or domain',
  url: 'URL',
  file_hash: 'Hash',
}

interface ObservablesProps {
  readonly observables: AlertDetailsView['observables']
  readonly more: boolean
}

/** The observables of an alert. Each links to all alerts that have it too. */
export function Observables({ observables, more }: ObservablesProps): JSX.Element {
  if (observables.length === 0)
    return (
      <Text size="sm" c="dimmed">
        The content names no user, address, domain, URL or hash that Tocsin recognizes.
      </Text>
    )
  return (
    <Stack gap={4}>
      {observables.map(({ kind, value, places }) => (
        <Group key={`${kind} ${value}`} gap={6} wrap="nowrap" align="flex-start">
          <Badge color="gray" className="kind" title={places.join('\n')}>
            {names[kind] ?? kind}
          </Badge>
          <Link href={`/alerts?contains=${encodeURIComponent(value)}`} title="All alerts that name it">
            <Foreign value={value} />
          </Link>
          <Copy value={value} what="the value" />
        </Group>
      ))}
      {more && (
        <Text size="sm" c="dimmed">
          There are more than 100. The content has them all.
        </Text>
      )}
    </Stack>
  )
}
