import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import type { RunDetailsView, SignedInView } from '../../runtime/api/index.ts'
import { oneRun } from '../api/queries.ts'
import { ProblemNote } from '../shared/problem.tsx'
import { seen } from '../shared/seen.ts'
import { Table } from '../shared/table.tsx'
import { Text } from '../shared/text.tsx'
import { Time } from '../shared/time.tsx'

/** The run that asks: how it stands, and its steps so far. Nothing for a key that may not look at runs. */
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
        <Text value={run.run_id} />: <strong>{run.state}</strong>, began <Time at={run.started_at} />
        {run.error && (
          <>
            {' '}
            – <Text value={`${run.error.code}: ${run.error.message}`} />
          </>
        )}
      </p>
      {shownSteps(run).length > 0 && (
        <Table headings={['Step', 'What', 'Outcome', 'When']}>
          {shownSteps(run).map(({ step, what }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a journal only grows at its end, and one address may stand in it often
            <tr key={index}>
              <td>
                <Text value={step.address} />
              </td>
              <td>
                <Text value={what} />
              </td>
              <td className={step.outcome === 'sent' ? 'in_doubt' : ''}>{outcomeOf(step)}</td>
              <td>{step.at !== null && <Time at={step.at} />}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  )
}

/** What was called and asked; the ways that were taken say little without the playbook. */
function shownSteps({ steps }: RunDetailsView): readonly { readonly step: RunDetailsView['steps'][number]; readonly what: string }[] {
  const asked = new Set<string>()
  return steps.flatMap((step) => {
    if (step.kind === 'decided') return []
    if (step.kind === 'asked') asked.add(step.address)
    const what = step.kind === 'asked' ? 'people are asked' : (step.skill ?? (asked.has(step.address) ? 'people have answered' : 'a call'))
    return [{ step, what }]
  })
}

function outcomeOf({ outcome, code }: RunDetailsView['steps'][number]): string {
  if (outcome === 'sent') return 'sent, and nobody knows what became of it'
  return seen([outcome, code].filter((word) => word !== null).join(': '))
}
