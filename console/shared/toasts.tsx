import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Refused } from '../api/refused.ts'
import { Foreign } from './foreign.tsx'

/** How long a message stays, in milliseconds. One that offers an undo stays longer. */
const short = 5_000
const long = 12_000

interface Done {
  /** What was done: `ACME-42 is closed`. */
  readonly text: string
  /** What somebody else had done a moment before, and is replaced. The message then stays until somebody closes it. */
  readonly replaced?: string | null
  /** Takes it back. */
  readonly undo?: () => void
}

/** Shows what was done, with a button that takes it back if that is possible. */
export function done({ text, replaced = null, undo }: Done): void {
  const id = notifications.show({
    color: replaced === null ? 'teal' : 'orange',
    autoClose: replaced === null && (undo ? long : short),
    ...(replaced !== null && { role: 'alert' }),
    closeButtonProps: { 'aria-label': 'Close the message' },
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>
          <Foreign value={text} />
          {replaced !== null && (
            <Text size="sm">
              <Foreign value={replaced} />
            </Text>
          )}
        </span>
        {undo && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              notifications.hide(id)
              undo()
            }}
          >
            Undo
          </Button>
        )}
      </Group>
    ),
  })
}

/** Shows that something failed. It stays until somebody closes it. */
export function failed(what: string, error: unknown): void {
  const problem = error instanceof Refused ? error.problem : null
  told({
    color: 'red',
    title: error instanceof Refused && error.inDoubt ? `${what}, or only the answer was lost` : what,
    text: problem?.detail ?? (error instanceof Error ? error.message : String(error)),
    remedy: problem?.remedy ?? null,
  })
}

interface Told {
  /** Replaces the message with this id. */
  readonly id?: string
  readonly color: 'red' | 'orange' | 'teal'
  readonly title: string
  readonly text: string
  /** What to do. */
  readonly remedy: string | null
}

/** Shows a message that stays until somebody closes it. */
export function told({ id, color, title, text, remedy }: Told): void {
  // A message that only changes would not be read aloud again.
  if (id !== undefined) notifications.hide(id)
  notifications.show({
    ...(id !== undefined && { id }),
    color,
    autoClose: false,
    role: 'alert',
    closeButtonProps: { 'aria-label': 'Close the message' },
    title: <Foreign value={title} />,
    message: (
      <>
        {/* Below a title, the library's own grey is too faint to read. */}
        <Text size="sm" c="var(--mantine-color-text)">
          <Foreign value={text} />
        </Text>
        {remedy !== null && (
          <Text size="sm" c="dimmed">
            <Foreign value={remedy} />
          </Text>
        )}
      </>
    ),
  })
}
