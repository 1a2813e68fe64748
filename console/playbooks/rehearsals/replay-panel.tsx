import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type JSX, useEffect, useRef, useState } from 'react'
import type { PageView, ReplayView } from '../../../runtime/api/index.ts'
import { look } from '../../api/ask.ts'
import { useAddress } from '../../shared/address.ts'
import { RunLink } from '../../shared/links.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { count } from '../words.ts'
import { Outdated, Working } from './parts.tsx'
import { ReplayedRun, verdictOf } from './replayed-run.tsx'

interface ReplayProps {
  readonly text: string
  readonly organization: string | null
}

/** Replays recorded runs with the text, and shows which writes would be different. The address may name one run. */
export function ReplayPanel(props: ReplayProps): JSX.Element {
  const { get, set } = useAddress()
  const run = get('run')
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        Runs the text against the recorded answers of {run === null ? 'the last runs of its alert types' : 'one run'}. Nothing is called.
      </Text>
      {run === null ? <LastRuns {...props} /> : <OneRun key={run} run={run} onLeave={() => set({ run: null })} {...props} />}
    </Stack>
  )
}

function replay({ text, organization }: ReplayProps, which: object, signal: AbortSignal): Promise<PageView<ReplayView>> {
  const whose = organization === null ? {} : { organization_code: organization }
  return look('/platformapi/playbooks/replay', { text, ...whose, ...which }, signal)
}

interface OneRunProps extends ReplayProps {
  readonly run: string
  readonly onLeave: () => void
}

/** It is replayed at once: whoever comes here has asked for it. */
function OneRun({ run, text, organization, onLeave }: OneRunProps): JSX.Element {
  const [replayedText, setText] = useState(text)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['replay of one run', run, organization, replayedText],
    queryFn: ({ signal }) => replay({ text: replayedText, organization }, { run_id: run }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  return (
    <>
      <Text size="sm" component="div">
        Run <RunLink id={run} whole />
      </Text>
      <Group>
        <Button size="compact-md" disabled={isFetching} onClick={() => (text === replayedText ? void refetch() : setText(text))}>
          Replay this run
        </Button>
        <Button size="compact-md" variant="default" onClick={onLeave}>
          Replay the last runs instead
        </Button>
      </Group>
      {isFetching && <Working what="Replaying the run" />}
      {error && !isFetching && <ProblemNote error={error} />}
      {data && !isFetching && (
        <section aria-label="Result of the replay" aria-live="polite">
          {text !== replayedText && <Outdated />}
          {data.items.map((one) => (
            <ReplayedRun key={one.run_id} replayed={one} />
          ))}
        </section>
      )}
    </>
  )
}

/** How many runs one click replays, and how many one request: each request shows progress. */
const [mostRuns, atOnce] = [10, 2]

interface Replays {
  /** What they were replayed with. */
  readonly text: string
  readonly runs: readonly ReplayView[]
  readonly next: string | null
}

function LastRuns({ text, organization }: ReplayProps): JSX.Element {
  const [replays, setReplays] = useState<Replays | null>(null)
  const stopping = useRef<AbortController | null>(null)
  useEffect(() => () => stopping.current?.abort(), [])
  const work = useMutation({
    async mutationFn(from: Replays) {
      const controller = new AbortController()
      const { signal } = controller
      stopping.current = controller
      setReplays(from)
      let now = from
      for (let asked = 0; asked < mostRuns && !signal.aborted; asked += atOnce) {
        const which = { limit: atOnce, ...(now.next !== null && { cursor: now.next }) }
        const { items, next_cursor: next } = await replay({ text: from.text, organization }, which, signal)
        now = { ...now, runs: [...now.runs, ...items], next }
        setReplays(now)
        if (next === null) break
      }
    },
  })
  const stopped = stopping.current?.signal.aborted === true
  const runs = replays?.runs ?? []
  return (
    <>
      <Button size="compact-md" className="fit" disabled={work.isPending} onClick={() => work.mutate({ text, runs: [], next: null })}>
        Replay the last {mostRuns} runs
      </Button>
      {work.isPending && <Working what={`${count(runs.length, 'run')} replayed`} onStop={() => stopping.current?.abort()} />}
      {work.error && !stopped && <ProblemNote error={work.error} />}
      {replays && (runs.length > 0 || work.isSuccess) && (
        <section aria-label="Result of the replay" aria-live="polite">
          {text !== replays.text && <Outdated />}
          <Text fw={600} size="sm">
            {runs.length === 0 ? 'There is no run of these alert types yet.' : summaryOf(runs)}
          </Text>
          {runs.map((one) => (
            <ReplayedRun key={one.run_id} replayed={one} />
          ))}
          {replays.next !== null && !work.isPending && (
            <Button size="compact-md" variant="default" mt="sm" onClick={() => work.mutate(replays)}>
              Replay older runs
            </Button>
          )}
        </section>
      )}
    </>
  )
}

function summaryOf(runs: readonly ReplayView[]): string {
  const of = (verdict: ReturnType<typeof verdictOf>): number => runs.filter((one) => verdictOf(one) === verdict).length
  const failed = of('none')
  const replayed = `${count(runs.length - failed, 'run')} replayed, ${of('different')} with different writes or another outcome`
  return failed === 0 ? replayed : `${replayed}; ${count(failed, 'run')} could not be replayed`
}
