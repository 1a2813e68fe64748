import { Alert, Badge, Button, Group, Table as MantineTable, Progress, ScrollArea, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type JSX, useEffect, useRef, useState } from 'react'
import { Foreign } from '../shared/foreign.tsx'
import { IconAlertTriangle } from '../shared/icons.ts'
import { RunLink } from '../shared/links.tsx'
import { AndMore } from '../shared/list/and-more.tsx'
import { Loading } from '../shared/states.tsx'
import { Table } from '../shared/table.tsx'
import { Dialog } from '../shell/dialog.tsx'
import { type Line, lookAtAll, retryAll } from './retry-lines.ts'

/** How many alerts people may retry at once. */
export const mostRetries = 500
/** The most earlier changes that are listed. */
const mostWrites = 500
const words = { ready: 'ready', not_possible: 'not possible', done: 'started', failed: 'failed', unknown: 'unknown', stopped: 'not started' } as const
const colours = { ready: 'harbour', not_possible: 'gray', done: 'teal', failed: 'red', unknown: 'orange', stopped: 'gray' } as const

/** Asks before alerts are investigated again: shows what a retry may repeat, then the result for each alert. */
export function RetryDialog({ ids, onClose }: { readonly ids: readonly string[]; readonly onClose: () => void }): JSX.Element {
  const queries = useQueryClient()
  const [wanted, setWanted] = useState(ids)
  /** The results of alerts that are no longer wanted. */
  const [past, setPast] = useState<readonly Line[]>([])
  const [lines, setLines] = useState<readonly Line[]>([])
  const [phase, setPhase] = useState<'looking' | 'asking' | 'working' | 'over'>('looking')
  const [count, setCount] = useState(0)
  const stop = useRef(new AbortController())
  useEffect(() => {
    const closing = new AbortController()
    stop.current = closing
    void lookAtAll(wanted, closing.signal, setCount).then((found) => {
      if (closing.signal.aborted) return
      setLines(found)
      setPhase('asking')
    })
    return () => closing.abort()
  }, [wanted])
  const ready = lines.filter((line) => line.state === 'ready')
  const writes = ready.flatMap((line) => line.preview.earlier_writes.map((write) => ({ ...write, alert: line.id })))
  const begin = async (): Promise<void> => {
    setPhase('working')
    setCount(0)
    const begun = await retryAll(
      ready.map(({ id }) => id),
      stop.current.signal,
      setCount,
    )
    const results = new Map(begun.map((line) => [line.id, line]))
    setLines(lines.map((line) => results.get(line.id) ?? line))
    setPhase('over')
    await queries.invalidateQueries({ queryKey: ['head', 'alerts'] })
    await queries.invalidateQueries({ queryKey: ['alert'] })
  }
  const left = lines.filter((line) => line.state === 'stopped').map(({ id }) => id)
  const goOn = (): void => {
    setPast([...past, ...lines.filter((line) => line.state !== 'stopped')])
    setLines([])
    setCount(0)
    setPhase('looking')
    setWanted(left)
  }
  const many = wanted.length === 1 ? wanted[0] : `${wanted.length} alerts`
  return (
    <Dialog
      onClose={onClose}
      busy={phase === 'working'}
      size="lg"
      title={<Foreign value={phase === 'over' ? 'Result of the retry' : `Investigate ${many} again?`} />}
    >
      {phase === 'looking' && <Loading what={`Looking at what a retry may repeat (${count} of ${wanted.length})`} />}
      {phase === 'working' && (
        <>
          <Text size="sm" role="status" mb="xs">
            {count} of {ready.length} are started.
          </Text>
          <Progress value={(count / Math.max(ready.length, 1)) * 100} aria-label="Progress" />
        </>
      )}
      {phase === 'asking' && <Asked writes={writes} />}
      {(phase === 'asking' || phase === 'over') && (phase === 'over' || past.length > 0 || ready.length < lines.length) && (
        <Results lines={[...past, ...lines]} />
      )}
      <Group justify="flex-end" mt="md">
        {phase === 'working' ? (
          <Button variant="default" onClick={() => stop.current.abort()}>
            Stop
          </Button>
        ) : (
          <Button variant="default" onClick={onClose}>
            {phase === 'over' ? 'Close' : 'Cancel'}
          </Button>
        )}
        {(phase === 'over' || (phase === 'asking' && ready.length === 0)) && left.length > 0 && (
          <Button onClick={goOn}>{left.length === 1 ? 'Go on with 1 alert' : `Go on with ${left.length} alerts`}</Button>
        )}
        {phase === 'asking' && (
          <Button color={writes.length > 0 ? 'red' : 'harbour'} disabled={ready.length === 0} onClick={() => void begin()}>
            {ready.length === 1 ? 'Retry 1 alert' : `Retry ${ready.length} alerts`}
          </Button>
        )}
      </Group>
    </Dialog>
  )
}

interface Write {
  readonly alert: string
  readonly run_id: string
  readonly step: string
  readonly outcome: 'done' | 'unknown'
}

function Asked({ writes }: { readonly writes: readonly Write[] }): JSX.Element {
  if (writes.length === 0)
    return <Text size="sm">A retry starts each investigation from the beginning, in the same case. Earlier attempts changed nothing outside.</Text>
  return (
    <>
      <Alert
        color="orange"
        icon={<IconAlertTriangle size={18} />}
        title={`A retry may repeat ${writes.length} earlier ${writes.length === 1 ? 'change' : 'changes'}`}
      >
        It starts each investigation from the beginning. Earlier attempts have changed this in external systems:
      </Alert>
      <ScrollArea.Autosize mah={260} mt="xs" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Earlier changes' }}>
        <Table headings={['Alert', 'Step', 'Outcome', 'Run']}>
          {writes.slice(0, mostWrites).map(({ alert, run_id, step, outcome }) => (
            <MantineTable.Tr key={`${run_id} ${step}`}>
              <MantineTable.Td>
                <Foreign value={alert} />
              </MantineTable.Td>
              <MantineTable.Td>
                <Foreign value={step} />
              </MantineTable.Td>
              <MantineTable.Td>{outcome === 'done' ? 'done' : 'nobody knows whether it happened'}</MantineTable.Td>
              <MantineTable.Td>
                <RunLink id={run_id} />
              </MantineTable.Td>
            </MantineTable.Tr>
          ))}
        </Table>
        <AndMore all={writes.length} shown={mostWrites} />
      </ScrollArea.Autosize>
    </>
  )
}

function Results({ lines }: { readonly lines: readonly Line[] }): JSX.Element {
  return (
    <ScrollArea.Autosize mah={300} mt="sm" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Results' }}>
      <MantineTable>
        <MantineTable.Tbody>
          {lines.map((line) => (
            <MantineTable.Tr key={line.id}>
              <MantineTable.Td>
                <Foreign value={line.id} />
              </MantineTable.Td>
              <MantineTable.Td>
                <Badge miw="max-content" color={colours[line.state]}>
                  {words[line.state]}
                </Badge>
              </MantineTable.Td>
              <MantineTable.Td>{line.state !== 'ready' && <Foreign value={line.text} />}</MantineTable.Td>
            </MantineTable.Tr>
          ))}
        </MantineTable.Tbody>
      </MantineTable>
    </ScrollArea.Autosize>
  )
}
