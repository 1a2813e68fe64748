import { Button, Group, Loader, Text } from '@mantine/core'
import { type JSX, useState } from 'react'
import { useNow } from '../../shared/time/now.ts'

/** Says what is going on, and for how long. */
export function Working({ what, onStop }: { readonly what: string; readonly onStop?: () => void }): JSX.Element {
  const [begun] = useState(() => Date.now())
  const seconds = Math.max(0, Math.round((useNow() - begun) / 1_000))
  return (
    <Group gap="xs">
      <Loader size="xs" aria-hidden />
      <Text size="sm" role="status">
        {what} …
      </Text>
      <Text size="sm" c="dimmed">
        {seconds} s
      </Text>
      {onStop && (
        <Button size="compact-sm" variant="default" onClick={onStop}>
          Stop
        </Button>
      )}
    </Group>
  )
}

/** Says that a result does not belong to what is written now. */
export function Outdated(): JSX.Element {
  return (
    <Text size="sm" c="orange.8" fw={600} role="status">
      You have changed the text since. This result is of the earlier text.
    </Text>
  )
}
