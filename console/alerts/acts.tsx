import { Button, Group } from '@mantine/core'
import { type JSX, useState } from 'react'
import { Link } from 'wouter'
import type { AlertDetailsView } from '../../runtime/api/index.ts'
import { IconBinaryTree2, IconRepeat } from '../shared/icons.ts'
import { addressOf } from '../shared/links.tsx'
import { useMay } from '../shell/who.ts'
import { RetryDialog } from './retry-dialog.tsx'

/** What a person can do about an alert. */
export function Acts({ alert }: { readonly alert: AlertDetailsView }): JSX.Element | null {
  const may = useMay()
  const [asked, setAsked] = useState<readonly string[] | null>(null)
  const ended = alert.investigation_status >= 15
  const retriable = may('alerts:write') && ended && alert.alert_type !== null
  if (!retriable && !may('playbooks:write')) return null
  return (
    <Group gap="xs">
      {retriable && (
        <Button variant="default" leftSection={<IconRepeat size={16} />} onClick={() => setAsked([alert.alert_id])}>
          Retry …
        </Button>
      )}
      {may('playbooks:write') && (
        <Button variant="default" leftSection={<IconBinaryTree2 size={16} />} component={Link} href={addressOf.newPlaybook(alert.alert_id)}>
          New playbook from this alert
        </Button>
      )}
      {asked !== null && <RetryDialog ids={asked} onClose={() => setAsked(null)} />}
    </Group>
  )
}
