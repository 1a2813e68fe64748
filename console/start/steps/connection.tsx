import { Button, Group, Stack, Text } from '@mantine/core'
import type { JSX } from 'react'
import { Link } from 'wouter'
import { Command } from '../command.tsx'

interface ConnectionStepProps {
  readonly organization: string
  /** Whether there is a connection. */
  readonly connected: boolean
}

/** Leads to the integrations, which have the form for each connection. */
export function ConnectionStep({ organization, connected }: ConnectionStepProps): JSX.Element {
  return (
    <Stack gap="sm">
      <Text size="sm">
        A connection has the credentials of one external system, so that playbooks can look things up and contain threats. You can do this later:
        without it, Tocsin opens cases, but cannot look anything up.
      </Text>
      <Group>
        <Button component={Link} href="/integrations" variant="default">
          Choose an integration
        </Button>
      </Group>
      <Command text={`tocsin connection create mfa-prod --integration mfa --organization ${organization} --paste pingid.properties`} />
      {!connected && (
        <Command
          about="No account at a vendor? In the folder of Tocsin's source, this starts another, empty Tocsin with simulated systems, connected and named as simulated"
          text="npm run demo -- --empty"
        />
      )}
    </Stack>
  )
}
