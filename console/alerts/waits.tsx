import { Alert, Stack } from '@mantine/core'
import type { JSX } from 'react'
import { Link } from 'wouter'
import type { AlertDetailsView } from '../../runtime/api/index.ts'
import { Foreign } from '../shared/foreign.tsx'
import { addressOf } from '../shared/links.tsx'

/** What the alert waits for. */
export function Waits({ alert }: { readonly alert: AlertDetailsView }): JSX.Element | null {
  if (alert.open_decisions.length === 0 && alert.pauses.length === 0) return null
  return (
    <Stack gap="xs">
      {alert.open_decisions.map((decision) => (
        <Alert key={decision.id} color="grape" title="It waits for a decision">
          <Link href={addressOf.decision(decision.id)}>
            <Foreign value={decision.title} />
          </Link>
        </Alert>
      ))}
      {alert.pauses.map((pause) => (
        <Alert key={pause.id} color="yellow" title="A pause holds it">
          <Foreign value={`${pause.what}, paused by ${pause.paused_by}${pause.reason === null ? '' : `: ${pause.reason}`}`} />
        </Alert>
      ))}
    </Stack>
  )
}
