import { Anchor } from '@mantine/core'
import type { JSX } from 'react'
import { Link } from 'wouter'
import { seesPart, settingsPlaces } from '../../shell/navigation.ts'
import { useWho } from '../../shell/who.ts'

const part = settingsPlaces.find(({ path }) => path === 'audit')

/**
 * Leads to the audit log of one thing. Nothing for a key that may not read the audit log.
 * @param about the id of the thing
 */
export function AuditLink({ about }: { readonly about: string }): JSX.Element | null {
  const who = useWho()
  if (!part || !seesPart(part, who)) return null
  return (
    <Anchor component={Link} href={`/settings/audit?${new URLSearchParams({ about })}`} size="sm">
      Who changed it
    </Anchor>
  )
}
