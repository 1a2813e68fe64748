import { Alert, Text } from '@mantine/core'
import type { JSX } from 'react'
import { Link } from 'wouter'
import type { RunDetailsView } from '../../runtime/api/index.ts'
import { Foreign } from '../shared/foreign.tsx'
import { Time } from '../shared/time/time.tsx'

interface PausedProps extends Pick<RunDetailsView, 'pauses'> {
  /** What the pauses mean here. */
  readonly title: string
}

/** Says that a pause holds a run, who paused, and where it is resumed. */
export function PausedNote({ pauses, title }: PausedProps): JSX.Element {
  return (
    <Alert color="orange" mt="sm" title={title}>
      {pauses.map(({ id, what, paused_by: by, paused_at: at, reason }) => (
        <Text size="sm" key={id}>
          <Foreign value={by} /> paused <Foreign value={what} /> <Time at={at} />
          {reason !== null && (
            <>
              : “<Foreign value={reason} />”
            </>
          )}
        </Text>
      ))}
      <Link href="/settings/pauses">All pauses</Link>
    </Alert>
  )
}
