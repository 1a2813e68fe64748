import { Drawer, Paper } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import type { RunDetailsView } from '../../runtime/api/index.ts'
import { Graph } from '../graph/index.tsx'
import { useAddress } from '../shared/address.ts'
import { RunStateBadge } from '../shared/badges.tsx'
import { Foreign } from '../shared/foreign.tsx'
import { beginOf, WholeTitle } from '../shared/long-title.tsx'
import { Page } from '../shared/page.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Empty, Loading } from '../shared/states.tsx'
import { RunActions } from './actions.tsx'
import { RunHead } from './head.tsx'
import { graphQuery, runQuery } from './queries.ts'
import { StepPanel } from './step-panel.tsx'
import { Timeline } from './timeline.tsx'
import { WhySummary } from './why-summary.tsx'

/** One run: what it did and why, as a summary, a timeline and a graph. */
export function RunPage({ id }: { readonly id: string }): JSX.Element {
  const { data: run, error } = useQuery(runQuery(id))
  if (error && !run)
    return (
      <Page title={`Run ${id}`}>
        <ProblemNote error={error} />
      </Page>
    )
  if (!run) return <Loading what="Loading the run" />
  const name = run.undoes === null ? (run.alert_name ?? run.playbook) : `Undo of ${run.alert_name ?? run.playbook}`
  return (
    <Page
      title={name}
      heading={
        <span className="run-title">
          <Foreign value={beginOf(name)} /> <RunStateBadge state={run.state} />
        </span>
      }
      actions={<RunActions run={run} />}
    >
      <WholeTitle title={name} />
      {error && <ProblemNote error={error} />}
      <RunHead run={run} />
      <WhySummary run={run} />
      <Steps run={run} />
    </Page>
  )
}

/** The timeline and the graph side by side, with the chosen step below the graph. The address has the chosen step. */
function Steps({ run }: { readonly run: RunDetailsView }): JSX.Element {
  const { get, set } = useAddress()
  const narrow = useMediaQuery('(max-width: 64em)', undefined, { getInitialValueInEffect: false }) ?? false
  const chosen = get('step')
  const { data: graph, error } = useQuery(graphQuery(run))
  /** A node that the run did not reach: it has no step. */
  const [unreached, setUnreached] = useState<string | null>(null)
  /** The step that was last chosen in the timeline or the graph. Any other one comes from a link. */
  const [own, setOwn] = useState<string | null>(null)
  const choose = (step: string | null): void => {
    setUnreached(null)
    setOwn(step)
    set({ step })
  }
  const chooseNode = (address: string | null): void => {
    const step = graph?.nodes.find((node) => node.address === address)?.step ?? null
    if (address !== null && step === null) {
      setUnreached(address)
      set({ step: null })
    } else if (step !== null && (chosen === null || nodeOf(chosen) !== address)) choose(step)
  }
  const panel =
    unreached !== null ? (
      <Empty title={`The run did not reach ${unreached}`}>The summary above says why, if it is a write.</Empty>
    ) : (
      chosen !== null && <StepPanel key={chosen} run={run} address={chosen} />
    )
  return (
    <div className="run-steps">
      <Timeline run={run} chosen={chosen} focused={!narrow && chosen !== own} onChoose={choose} />
      <div className="run-side">
        <div className="run-graph">
          {error && <ProblemNote error={error} />}
          {graph &&
            (graph.known ? (
              <Graph
                graph={graph}
                selected={unreached ?? (chosen === null ? null : nodeOf(chosen))}
                onSelect={chooseNode}
                label={`Run of ${run.playbook}`}
              />
            ) : (
              <Empty title="The playbook of this run can no longer be read">
                <Foreign value={graph.note ?? ''} />
              </Empty>
            ))}
          {!graph && !error && <Loading what="Loading the graph" />}
        </div>
        {!narrow && panel && (
          <Paper withBorder className="run-panel" p="sm">
            {panel}
          </Paper>
        )}
      </div>
      {narrow && (
        <Drawer
          opened={Boolean(panel)}
          onClose={() => choose(null)}
          position="bottom"
          size="85%"
          title={unreached ?? chosen ?? ''}
          closeButtonProps={{ 'aria-label': 'Close the step' }}
        >
          {panel}
        </Drawer>
      )}
    </div>
  )
}

/** Returns the address of the node of a step. Ids of steps never begin with a digit, so a number is an iteration. */
function nodeOf(address: string): string {
  return address.replace(/(?<=\/)\d+(?=\/|$)/g, '*')
}
