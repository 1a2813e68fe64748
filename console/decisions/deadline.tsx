import { Text } from '@mantine/core'
import type { JSX } from 'react'
import type { DecisionView } from '../../runtime/api/index.ts'
import { useNow } from '../shared/time/now.ts'
import { Time, When } from '../shared/time/time.tsx'

/** A deadline is near if less time than this is left, in milliseconds. */
const near = 60 * 60_000

/** Until when people may answer: as a time, and relative to now. For a closed decision, when it was closed. */
export function Deadline({
  decision: { closed_at, expires_at },
}: {
  readonly decision: Pick<DecisionView, 'closed_at' | 'expires_at'>
}): JSX.Element {
  const now = useNow()
  if (closed_at !== null)
    return (
      <span className="quiet">
        closed <When at={closed_at} />
      </span>
    )
  if (expires_at === null) return <span className="quiet">no deadline</span>
  return (
    <span>
      <When at={expires_at} />{' '}
      <Text span inherit fw={expires_at - now < near ? 650 : 400} c={expires_at - now < near ? 'var(--mantine-color-error)' : 'dimmed'}>
        <Time at={expires_at} />
      </Text>
    </span>
  )
}
