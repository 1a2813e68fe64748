import { Alert, Badge, Button, Group, Table as MantineTable, Progress, ScrollArea, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type JSX, useEffect, useRef, useState } from 'react'
import type { RetryPreviewView } from '../../runtime/api/index.ts'
import { Refused } from '../api/refused.ts'
import { Foreign } from '../shared/foreign.tsx'
import { IconAlertTriangle } from '../shared/icons.ts'
import { RunLink } from '../shared/links.tsx'
import { AndMore } from '../shared/list/and-more.tsx'
import { Loading } from '../shared/states.tsx'
import { Table } from '../shared/table.tsx'
import { Dialog } from '../shell/dialog.tsx'
import { retryAlert, retryPreview } from './queries.ts'

/** How many alerts people may retry at once. */
export const mostRetries = 500
/** The most earlier changes that are listed. */
const mostWrites = 500
/** How many requests are under way at once. */
const together = 4

type Line =
  | { readonly id: string; readonly state: 'ready'; readonly preview: RetryPreviewView }
  | { readonly id: string; readonly state: 'not_possible' | 'done' | 'failed' | 'stopped'; readonly text: string }

const words = { ready: 'ready', not_possible: 'not possible', done: 'started', failed: 'failed', stopped: 'not started' } as const
const colours = { ready: 'harbour', not_possible: 'gray', done: 'teal', failed: 'red', stopped: 'gray' } as const

/** Asks before alerts are investigated again: shows what a retry may repeat, then the result for each alert. */
export function RetryDialog({ ids, onClose }: { readonly ids: readonly string[]; readonly onClose: () => void }): JSX.Element {
  const queries = useQueryClient()
  const [lines, setLines] = useState<readonly Line[]>([])
  const [phase, setPhase] = useState<'looking' | 'asking' | 'working' | 'over'>('looking')
  const [count, setCount] = useState(0)
  const stop = useRef(new AbortController())
  useEffect(() => {
    const closing = new AbortController()
    stop.current = closing
    void each(ids, closing.signal, setCount, lookAt).then((found) => {
      if (closing.signal.aborted) return
      setLines(found)
      setPhase('asking')
    })
    return () => closing.abort()
  }, [ids])
  const ready = lines.filter((line) => line.state === 'ready')
  const writes = ready.flatMap((line) => line.preview.earlier_writes.map((write) => ({ ...write, alert: line.id })))
  const begin = async (): Promise<void> => {
    setPhase('working')
    setCount(0)
    const begun = await each(
      ready.map(({ id }) => id),
      stop.current.signal,
      setCount,
      retryOne,
    )
    const results = new Map(begun.map((line) => [line.id, line]))
    setLines(lines.map((line) => results.get(line.id) ?? line))
    setPhase('over')
    await queries.invalidateQueries({ queryKey: ['head', 'alerts'] })
    await queries.invalidateQueries({ queryKey: ['alert'] })
  }
  const many = ids.length === 1 ? ids[0] : `${ids.length} alerts`
  return (
    <Dialog
      onClose={onClose}
      busy={phase === 'working'}
      size="lg"
      title={<Foreign value={phase === 'over' ? 'Result of the retry' : `Investigate ${many} again?`} />}
    >
      {phase === 'looking' && <Loading what={`Looking at what a retry may repeat (${count} of ${ids.length})`} />}
      {phase === 'working' && (
        <>
          <Text size="sm" role="status" mb="xs">
            {count} of {ready.length} are started.
          </Text>
          <Progress value={(count / Math.max(ready.length, 1)) * 100} aria-label="Progress" />
        </>
      )}
      {phase === 'asking' && <Asked writes={writes} />}
      {(phase === 'asking' || phase === 'over') && (phase === 'over' || ready.length < lines.length) && <Results lines={lines} />}
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
                <Badge color={colours[line.state]}>{words[line.state]}</Badge>
              </MantineTable.Td>
              <MantineTable.Td>{line.state !== 'ready' && <Foreign value={line.text} />}</MantineTable.Td>
            </MantineTable.Tr>
          ))}
        </MantineTable.Tbody>
      </MantineTable>
    </ScrollArea.Autosize>
  )
}

async function lookAt(id: string, signal: AbortSignal): Promise<Line> {
  try {
    const preview = await retryPreview(id, signal)
    if (preview.retriable) return { id, state: 'ready', preview }
    return { id, state: 'not_possible', text: 'Its investigation has not ended, or it has no type.' }
  } catch (error) {
    return { id, state: 'not_possible', text: textOf(error) }
  }
}

async function retryOne(id: string): Promise<Line> {
  try {
    await retryAlert(id)
    return { id, state: 'done', text: 'Another attempt is waiting for a worker.' }
  } catch (error) {
    return { id, state: 'failed', text: textOf(error) }
  }
}

function textOf(error: unknown): string {
  return error instanceof Refused ? `${error.problem.detail} ${error.problem.remedy}` : String(error)
}

/** Does something for each id, a few at a time, in order. Once the signal aborts, the others are not begun. */
async function each(
  ids: readonly string[],
  signal: AbortSignal,
  progress: (count: number) => void,
  act: (id: string, signal: AbortSignal) => Promise<Line>,
): Promise<readonly Line[]> {
  const lines: Line[] = ids.map((id) => ({ id, state: 'stopped', text: 'Stopped before its turn.' }))
  let next = 0
  let over = 0
  const work = async (): Promise<void> => {
    while (next < ids.length && !signal.aborted) {
      const at = next++
      const id = ids[at]
      if (id === undefined) return
      lines[at] = await act(id, signal)
      over += 1
      if (!signal.aborted) progress(over)
    }
  }
  await Promise.all(Array.from({ length: together }, work))
  return lines
}
