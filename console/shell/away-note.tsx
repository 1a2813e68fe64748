import { Alert } from '@mantine/core'
import type { JSX } from 'react'
import { useServerAway } from '../api/away.ts'
import { IconAlertTriangle } from '../shared/icons.ts'

/** Says that the server does not answer, until it does. The page keeps what it shows and what somebody typed. */
export function AwayNote(): JSX.Element | null {
  if (!useServerAway()) return null
  return (
    <Alert role="alert" color="yellow" radius={0} icon={<IconAlertTriangle size={18} aria-hidden />} title="Tocsin does not answer">
      What you see may be old. What you have typed stays here. The page connects again by itself. It does not repeat a change.
    </Alert>
  )
}
