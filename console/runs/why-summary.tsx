import { Badge, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { Link } from 'wouter'
import type { RunDetailsView, RunStepView, RunWritesView } from '../../runtime/api/index.ts'
import { Foreign } from '../shared/foreign.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { writesQuery } from './queries.ts'
import { becauseOf, fateOf, nameOf, stepAddress } from './words.ts'

type Write = RunWritesView['writes'][number]

/** What became of each write of the playbook, and why. So it answers why a threat was not contained. */
export function WhySummary({ run }: { readonly run: RunDetailsView }): JSX.Element {
  const { data, error } = useQuery(writesQuery(run))
  return (
    <Paper withBorder p="md" my="md" component="section" aria-label="What it changed, and why">
      <Title order={2} size="h4" mb="xs">
        What it changed, and why
      </Title>
      {error && <ProblemNote error={error} />}
      {!data && !error && <Loading what="Asking the journal" />}
      {data && <Writes run={run} answer={data} />}
    </Paper>
  )
}

function Writes({ run, answer }: { readonly run: RunDetailsView; readonly answer: RunWritesView }): JSX.Element {
  const { writes, steps, known, note, more } = answer
  const byAddress = new Map(steps.map((step) => [step.address, step]))
  // An `on_error` that did not run says nothing about the run.
  const shown = writes.filter(({ cause }) => cause !== 'no_error')
  return (
    <Stack gap="xs">
      {note !== null && (
        <Text size="sm" c="dimmed">
          <Foreign value={note} />
        </Text>
      )}
      {known && shown.length === 0 && <Text size="sm">The playbook changes nothing outside Tocsin.</Text>}
      {shown.length > 0 && (
        <ul className="run-writes">
          {shown.map((write) => (
            <li key={`${write.node} ${write.state}`}>
              <WriteLine run={run} write={write} byAddress={byAddress} />
            </li>
          ))}
        </ul>
      )}
      {more && <Text size="sm">There are more writes than are shown here. The timeline has all of them.</Text>}
    </Stack>
  )
}

const colours: Readonly<Record<string, string>> = { done: 'teal', failed: 'red', in_doubt: 'orange', waiting: 'grape', under_way: 'grape' }
const marks: Readonly<Record<string, string>> = { done: 'Done', failed: 'Failed', in_doubt: 'In doubt', waiting: 'Waits', under_way: 'Under way' }

function WriteLine({
  run,
  write,
  byAddress,
}: {
  readonly run: RunDetailsView
  readonly write: Write
  readonly byAddress: ReadonlyMap<string, RunStepView>
}): JSX.Element {
  const because = write.because.flatMap((address) => byAddress.get(address) ?? [])
  const [own] = because
  const done = write.cause === null
  const itself = write.cause === 'itself'
  return (
    <>
      <Badge color={colours[write.state ?? ''] ?? 'gray'}>{marks[write.state ?? ''] ?? 'Not done'}</Badge>{' '}
      <Place run={run.run_id} address={done || itself ? (write.because[0] ?? null) : null} text={nameOf(write)} />{' '}
      {done && own?.target != null && (
        <>
          on <Foreign value={own.target} />{' '}
        </>
      )}
      {fateOf(write, run)}
      {itself && own && !saysTheHead(own, run) && <Reasons lines={becauseOf(own)} />}
      {!done && !itself && because.length > 0 && (
        <ul>
          {because.map((step) => (
            <li key={step.address}>
              <Place run={run.run_id} address={step.address} text={step.address} />
              <Reasons lines={saysTheHead(step, run) ? ['it failed, as shown above'] : becauseOf(step)} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Reasons({ lines }: { readonly lines: readonly string[] }): JSX.Element | null {
  return lines.length === 0 ? null : (
    <>
      : <Foreign value={lines.join('; ')} />
    </>
  )
}

/** Whether the head of the page shows the error of a step already, as the error of the run. */
function saysTheHead({ error }: RunStepView, run: RunDetailsView): boolean {
  return error !== null && error.code === run.error?.code && error.message === run.error.message
}

/** The name of a step. If the run has reached it, a link opens it. */
function Place({ run, address, text }: { readonly run: string; readonly address: string | null; readonly text: string }): JSX.Element {
  if (address === null) return <Foreign value={text} />
  return (
    <Link href={stepAddress(run, address)} replace>
      <Foreign value={text} />
    </Link>
  )
}
