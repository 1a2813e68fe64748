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
  notifications.show({
    color: 'red',
    autoClose: false,
    role: 'alert',
    closeButtonProps: { 'aria-label': 'Close the message' },
    title: <Foreign value={error instanceof Refused && error.inDoubt ? `${what}, or only the answer was lost` : what} />,
    message: (
      <>
        {/* Below a title, the library's own grey is too faint to read. */}
        <Text size="sm" c="var(--mantine-color-text)">
          <Foreign value={problem?.detail ?? (error instanceof Error ? error.message : String(error))} />
        </Text>
        {problem !== null && (
          <Text size="sm" c="dimmed">
            <Foreign value={problem.remedy} />
          </Text>
        )}
      </>
    ),
  })
}
