import { Badge, Group, Text } from '@mantine/core'
import type { JSX } from 'react'
import type { CaseView } from '../../runtime/api/index.ts'
import { Time, When } from '../shared/time/time.tsx'

type Clock = CaseView['response']

const looks = {
  running: ['In time', 'blue'],
  overdue: ['Overdue', 'red'],
  met: ['Met', 'teal'],
  missed: ['Missed', 'orange'],
  none: ['No time set', 'gray'],
} as const satisfies Record<Clock['state'], readonly [string, string]>

/** A service-level clock: its state, and until when. */
export function ServiceClock({ clock, name }: { readonly clock: Clock; readonly name: string }): JSX.Element {
  const [word, colour] = looks[clock.state]
  return (
    <Group gap={6} wrap="wrap">
      <Badge color={colour}>
        {name}: {word}
      </Badge>
      {clock.due_at !== null && (clock.state === 'running' || clock.state === 'overdue') && (
        <Text size="xs" c="dimmed" component="span">
          due <Time at={clock.due_at} />
        </Text>
      )}
      {clock.done_at !== null && (
        <Text size="xs" c="dimmed" component="span">
          <When at={clock.done_at} />
        </Text>
      )}
    </Group>
  )
}

/** The clock of a list: the one that runs out next. Nothing if none runs. */
export function NextClock({ found }: { readonly found: CaseView }): JSX.Element | null {
  const running = (
    [
      ['Response', found.response],
      ['Close', found.close],
    ] as const
  ).find(([, { state }]) => state === 'running' || state === 'overdue')
  if (running === undefined) return null
  const [name, { due_at, state }] = running
  return (
    <Text size="xs" component="span" c={state === 'overdue' ? 'var(--mantine-color-error)' : 'dimmed'}>
      {name} {state === 'overdue' ? 'overdue' : 'due'} {due_at !== null && <Time at={due_at} />}
    </Text>
  )
}
