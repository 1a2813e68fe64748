import { Table as MantineTable } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import type { RunDetailsView, RunStepView, SignedInView } from '../../runtime/api/index.ts'
import { oneRun, stepsOfRun } from '../api/queries.ts'
import { Foreign } from '../shared/foreign.tsx'
import { RunLink } from '../shared/links.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Table } from '../shared/table.tsx'
import { Time } from '../shared/time/time.tsx'

/** The run that asks: its state, and its steps so far. Shows nothing if the key may not read runs. */
export function RunPanel({ id, who }: { readonly id: string; readonly who: SignedInView }): JSX.Element | null {
  const mayLook = who.scopes.includes('runs:read')
  const { data, error } = useQuery({ ...oneRun(id), enabled: mayLook })
  if (!mayLook) return null
  return (
    <section aria-label="The run">
      <h2>The run</h2>
      {error && <ProblemNote error={error} />}
      {data && <Shown run={data} />}
    </section>
  )
}

function Shown({ run }: { readonly run: RunDetailsView }): JSX.Element {
  return (
    <>
      <p>
        <RunLink id={run.run_id} />: <strong>{run.state}</strong>, started <Time at={run.started_at} />
        {run.error && (
          <>
            {' '}
            – <Foreign value={`${run.error.code}: ${run.error.message}`} />
          </>
        )}
      </p>
      <Steps run={run} />
    </>
  )
}

function Steps({ run }: { readonly run: RunDetailsView }): JSX.Element | null {
  const { data, error } = useQuery(stepsOfRun(run))
  if (error) return <ProblemNote error={error} />
  const steps = data?.items.filter(tells) ?? []
  if (steps.length === 0) return null
  return (
    <Table headings={['Step', 'What', 'Outcome', 'When']}>
      {steps.map((step) => (
        <MantineTable.Tr key={step.address}>
          <MantineTable.Td miw={150}>
            <Foreign value={step.address} />
          </MantineTable.Td>
          <MantineTable.Td miw={160}>
            <Foreign value={whatOf(step)} />
          </MantineTable.Td>
          <MantineTable.Td className={step.state === 'in_doubt' ? 'in_doubt' : ''}>
            <Foreign value={outcomeOf(step)} />
          </MantineTable.Td>
          <MantineTable.Td>{step.began_at !== null && <Time at={step.began_at} />}</MantineTable.Td>
        </MantineTable.Tr>
      ))}
    </Table>
  )
}

/** Selects steps that called a skill, asked people, or failed. The other steps say little without the playbook. */
function tells({ skill, decisions, error, state }: RunStepView): boolean {
  return (skill !== null && state !== 'skipped') || decisions.length > 0 || error !== null
}

function whatOf({ skill, target, decisions, kind }: RunStepView): string {
  if (skill !== null) return target === null ? skill : `${skill} on ${target}`
  return decisions.length === 0 ? kind : decisions.some(({ state }) => state === 'open') ? 'waits for people' : 'people answered'
}

function outcomeOf({ state, error, handled }: RunStepView): string {
  if (state === 'in_doubt') return 'sent, and nobody knows whether it happened'
  const failure = error && `${error.code}: ${error.message}${handled ? ' (the playbook continued)' : ''}`
  return [state.replace('_', ' '), failure].filter((word) => word !== null).join(': ')
}
