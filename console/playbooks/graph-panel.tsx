import { Button, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import type { PlaybookGraphView } from '../../runtime/api/index.ts'
import { Graph } from '../graph/index.tsx'
import { useAddress } from '../shared/address.ts'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { graphOfText, graphOfVersion } from './queries.ts'

interface OfVersionProps {
  readonly digest: string
  /** Whose sub-playbooks it uses. Null: the shared ones. */
  readonly organization: string | null
  /** Shows a line of the text. */
  readonly onLine: (line: number) => void
}

/** The graph of a text that is or was active. */
export function GraphOfVersion({ digest, organization, onLine }: OfVersionProps): JSX.Element {
  const { data, error } = useQuery(graphOfVersion(digest, organization))
  return <Drawn graph={data?.graph} error={error} onLine={onLine} />
}

interface OfTextProps extends Omit<OfVersionProps, 'digest'> {
  readonly text: string
}

/** The graph of a text that somebody edits. While the text has mistakes, the last graph stays. */
export function GraphOfText({ text, organization, onLine }: OfTextProps): JSX.Element {
  const { data, error } = useQuery({ ...graphOfText(text, organization), placeholderData: keepPreviousData })
  const [last, setLast] = useState<PlaybookGraphView | null>(null)
  if (data?.graph && data.graph !== last) setLast(data.graph)
  return (
    <>
      {data?.graph === null && last !== null && (
        <Text size="sm" mb={6} role="status">
          The text has mistakes. The graph is of the text before them.
        </Text>
      )}
      <Drawn graph={data && (data.graph ?? last)} error={error} onLine={onLine} />
    </>
  )
}

interface DrawnProps extends Pick<OfVersionProps, 'onLine'> {
  /** Null: the text does not compile. Undefined: it is not here yet. */
  readonly graph: PlaybookGraphView | null | undefined
  readonly error: Error | null
}

/** A graph, and the way from the chosen step to its line. The address has the chosen step. */
function Drawn({ graph, error, onLine }: DrawnProps): JSX.Element {
  const { get, set } = useAddress()
  if (error) return <ProblemNote error={error} />
  if (graph === undefined) return <Loading what="Loading the graph" />
  if (graph === null) return <Text size="sm">The text has mistakes, so it has no graph. Checks shows them.</Text>
  const chosen = graph.nodes.find(({ address }) => address === get('step'))
  return (
    <>
      <div className="playbook-graph">
        <Graph graph={graph} selected={chosen?.address ?? null} onSelect={(step) => set({ step })} label={`Playbook ${graph.name}`} />
      </div>
      <Text size="sm" c="dimmed" mt={6} component="div">
        {chosen === undefined ? (
          'Choose a step to go to its line.'
        ) : chosen.playbook === null ? (
          <Button size="compact-sm" variant="default" onClick={() => onLine(chosen.line)}>
            Show line {chosen.line} of the text
          </Button>
        ) : (
          'This step is in a sub-playbook.'
        )}
      </Text>
    </>
  )
}
