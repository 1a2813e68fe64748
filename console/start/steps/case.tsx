import { Button, Group, Stack, Text } from '@mantine/core'
import type { JSX } from 'react'
import { Link } from 'wouter'
import { AlertLink, addressOf } from '../../shared/links.tsx'
import { Command } from '../command.tsx'

interface CaseStepProps {
  /** The newest case. Null: there is none yet. */
  readonly id: string | null
  /** The newest alert. */
  readonly alert: string | null
}

/** Leads to the newest case, or to the alert that may become one. */
export function CaseStep({ id, alert }: CaseStepProps): JSX.Element {
  return (
    <Stack gap="sm">
      <Text size="sm">
        {id === null
          ? 'When an alert has a type, Tocsin investigates it and opens a case. This step is done as soon as there is one.'
          : 'The case says what was found, what was done, and why. An analyst decides what it leaves open.'}
      </Text>
      {id === null && alert !== null && (
        <Text size="sm">
          Posted: <AlertLink id={alert} />
        </Text>
      )}
      {id !== null && (
        <Group>
          <Button component={Link} href={addressOf.case(id)}>
            Open {id}
          </Button>
        </Group>
      )}
      <Command text={id === null ? 'tocsin case list' : `tocsin case show ${id}`} />
    </Stack>
  )
}
