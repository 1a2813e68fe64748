import { Text } from '@mantine/core'
import type { JSX } from 'react'

interface AndMoreProps {
  /** How many there are. */
  readonly all: number
  /** How many a list shows at most. */
  readonly shown: number
}

/** Says how many things a list leaves out, so that it does not look complete. */
export function AndMore({ all, shown }: AndMoreProps): JSX.Element | null {
  if (all <= shown) return null
  return (
    <Text size="xs" c="dimmed" mt={4}>
      and {(all - shown).toLocaleString('en')} more
    </Text>
  )
}
