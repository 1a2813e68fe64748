import { Button, Menu } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import { Link } from 'wouter'
import type { RunDetailsView } from '../../runtime/api/index.ts'
import { addressOf } from '../shared/links.tsx'
import { useMay } from '../shell/who.ts'
import { CancelDialog } from './dialogs/cancel.tsx'
import { RetryDialog } from './dialogs/retry.tsx'
import { TestDialog } from './dialogs/test.tsx'
import { UndoDialog } from './dialogs/undo.tsx'
import { isOver } from './queries.ts'

type Action = 'cancel' | 'undo' | 'retry' | 'test'

/** The actions on a run. Those that the key may not do are not offered. */
export function RunActions({ run }: { readonly run: RunDetailsView }): JSX.Element {
  const may = useMay()
  const queries = useQueryClient()
  const [action, setAction] = useState<Action | null>(null)
  const close = (): void => {
    setAction(null)
    void queries.invalidateQueries({ queryKey: ['run', run.run_id] })
  }
  const [over, investigates] = [isOver(run), run.undoes === null]
  const path = `/platformapi/runs/${encodeURIComponent(run.run_id)}`
  return (
    <>
      {!over && may('runs:write') && run.cancelled === null && (
        <Button variant="default" color="red" onClick={() => setAction('cancel')}>
          Cancel
        </Button>
      )}
      {over && investigates && run.writes.length > 0 && may('runs:read') && (
        <Button variant="default" onClick={() => setAction('undo')}>
          {may('runs:write') ? 'Undo…' : 'What an undo would do'}
        </Button>
      )}
      {over && investigates && may('alerts:write') && run.alert_id !== null && (
        <Button variant="default" onClick={() => setAction('retry')}>
          Retry the alert…
        </Button>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default">More</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {investigates && may('playbooks:read') && (
            <Menu.Item component={Link} href={`${addressOf.playbook(run.alert_type)}?run=${encodeURIComponent(run.run_id)}`}>
              Replay against an edited playbook
            </Menu.Item>
          )}
          {investigates && run.state !== 'running' && <Menu.Item onClick={() => setAction('test')}>Make a test of this run</Menu.Item>}
          {investigates && (
            <Menu.Item component="a" href={`${path}/recording`} download={`${run.run_id}.json`}>
              Download the recording
            </Menu.Item>
          )}
          <Menu.Item component="a" href={`${path}/evidence`} download={`${run.run_id}.evidence.json`}>
            Download signed evidence
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {action === 'cancel' && <CancelDialog run={run} onClose={close} />}
      {action === 'undo' && <UndoDialog run={run.run_id} onClose={close} />}
      {action === 'retry' && <RetryDialog run={run} onClose={close} />}
      {action === 'test' && <TestDialog run={run} onClose={close} />}
    </>
  )
}
