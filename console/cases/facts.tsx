import { Badge, Button, Group, Table as MantineTable, Stack, Text } from '@mantine/core'
import { type JSX, useState } from 'react'
import { Link } from 'wouter'
import type { CaseDetailsView } from '../../runtime/api/index.ts'
import { Foreign, Json } from '../shared/foreign.tsx'
import { addressOf } from '../shared/links.tsx'
import { Table } from '../shared/table.tsx'
import { When } from '../shared/time/time.tsx'
import { useMay } from '../shell/who.ts'
import { Folded } from './folded.tsx'
import { StepAddress } from './step-address.tsx'

/** The most findings that are shown at first. The changes come after them, and people must not have to scroll far. */
const mostFindings = 10
const risks: readonly unknown[] = ['info', 'low', 'medium', 'high', 'critical']

/** Selects the findings with the highest risk; of the same risk, the latest. Their order stays. */
function riskiest(findings: CaseDetailsView['timeline']): CaseDetailsView['timeline'] {
  const byRisk = findings.toReversed().toSorted((one, other) => risks.indexOf(other.risk) - risks.indexOf(one.risk))
  const chosen = new Set(byRisk.slice(0, mostFindings))
  return findings.filter((finding) => chosen.has(finding))
}

/** What the playbooks found, with evidence. */
export function Findings({ found }: { readonly found: CaseDetailsView }): JSX.Element | null {
  const [all, showAll] = useState(false)
  const findings = found.timeline.filter(({ kind }) => kind === 'finding')
  const some = findings.length > mostFindings
  return (
    <Stack gap="xs">
      {some && (
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {all ? `All ${findings.length} findings.` : `The ${mostFindings} with the highest risk, of ${findings.length}.`}
          </Text>
          <Button size="compact-xs" variant="default" onClick={() => showAll(!all)}>
            {all ? 'Show fewer' : 'Show all findings'}
          </Button>
        </Group>
      )}
      {(all ? findings : riskiest(findings)).map(({ id, risk, title, evidence, at }) => (
        <div key={id} className="finding">
          <Group gap={8}>
            <Badge tt="capitalize" color={risk === 'critical' || risk === 'high' ? 'red' : risk === 'medium' ? 'yellow' : 'gray'}>
              {risk}
            </Badge>
            <Text size="sm" fw={500} component="span">
              <Folded value={title ?? ''} />
            </Text>
            <Text size="xs" c="dimmed" component="span">
              <When at={at} />
            </Text>
          </Group>
          {evidence !== undefined && evidence !== null && (
            <details>
              <summary>Evidence</summary>
              <Json value={evidence} label={`Evidence: ${title ?? ''}`} />
            </details>
          )}
        </div>
      ))}
    </Stack>
  )
}

const states = {
  stands: ['In effect', 'harbour'],
  undone: ['Undone', 'teal'],
  in_doubt: ['In doubt', 'orange'],
} as const

/** What the runs changed in external systems, and whether it is still in effect. */
export function Writes({ found, onUndo }: { readonly found: CaseDetailsView; readonly onUndo: (run: string) => void }): JSX.Element {
  const may = useMay()
  // With more columns, the last one would be out of sight on a laptop.
  const offers = may('runs:write') && may('runs:read') && found.writes.some(({ state }) => state !== 'undone')
  return (
    <>
      <Table headings={['Now', 'Call', 'Target', 'Outcome', ...(offers ? ['Undo'] : [])]}>
        {found.writes.map(({ run_id, run_ended_at: ended, step, at, skill, connection, target, outcome, state, undo }) => (
          <MantineTable.Tr key={`${run_id} ${step}`}>
            <MantineTable.Td miw={110}>
              <Badge color={states[state][1]}>{states[state][0]}</Badge>
              {undo !== null && (
                <Text size="xs" c="dimmed">
                  undo by <Foreign value={undo.by ?? 'somebody'} />
                </Text>
              )}
            </MantineTable.Td>
            <MantineTable.Td miw={170}>
              <Foreign value={skill} />
              <Text size="xs" c="dimmed">
                via <Foreign value={connection} />, step{' '}
                <Link href={`${addressOf.run(run_id)}?step=${encodeURIComponent(step)}`} title="The exact input and answer">
                  <StepAddress address={step} />
                </Link>
              </Text>
            </MantineTable.Td>
            <MantineTable.Td miw={190}>{target !== null && <Foreign value={target} />}</MantineTable.Td>
            <MantineTable.Td>
              <Foreign value={outcome} />
              <Text size="xs" c="dimmed">
                <When at={at} />
              </Text>
            </MantineTable.Td>
            {offers && <MantineTable.Td>{state !== 'undone' && <UndoOffer run={run_id} ended={ended !== null} onUndo={onUndo} />}</MantineTable.Td>}
          </MantineTable.Tr>
        ))}
      </Table>
      {found.more_writes > 0 && (
        <Text size="xs" c="dimmed">
          {found.more_writes} more writes are in the timeline.
        </Text>
      )}
    </>
  )
}

interface UndoOfferProps {
  readonly run: string
  readonly ended: boolean
  readonly onUndo: (run: string) => void
}

/** Offers an undo. While the run is running or waiting, Tocsin would refuse it. */
function UndoOffer({ run, ended, onUndo }: UndoOfferProps): JSX.Element {
  if (ended)
    return (
      <Button size="compact-xs" variant="default" onClick={() => onUndo(run)}>
        Undo …
      </Button>
    )
  return (
    <Text size="xs" c="dimmed">
      Possible after the end of <Link href={addressOf.run(run)}>its run</Link>
    </Text>
  )
}
