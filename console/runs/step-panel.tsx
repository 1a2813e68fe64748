import { Alert, Badge, Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import { Link } from 'wouter'
import type { RunDetailsView, RunStepView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { remedyHere } from '../api/remedies.ts'
import { Copy } from '../shared/copy.tsx'
import { Foreign, Json } from '../shared/foreign.tsx'
import { addressOf } from '../shared/links.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { When } from '../shared/time/time.tsx'
import { Conditions } from './conditions.tsx'
import { stepQuery } from './queries.ts'
import { StepState } from './step-state.tsx'
import { durationText, stepAddress } from './words.ts'

/** Everything about one step: its input, its output, its tries, its error, and the values that decided about it. */
export function StepPanel({ run, address }: { readonly run: RunDetailsView; readonly address: string }): JSX.Element {
  const { data: step, error } = useQuery(stepQuery(run, address))
  if (error && !step) return <ProblemNote error={error} />
  if (!step) return <Loading what="Loading the step" />
  return <Shown run={run.run_id} step={step} />
}

function Shown({ run, step }: { readonly run: string; readonly step: RunStepView }): JSX.Element {
  const { address, kind, skill, connection, target, began_at, ended_at, attempts, line, playbook, error, warnings, decisions } = step
  return (
    <Stack gap="sm" component="section" aria-label={`Step ${address}`}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Title order={2} size="h4" className="id">
          <Foreign value={address} />
          <Copy value={address} what="the address of the step" />
        </Title>
        <StepState step={step} />
      </Group>
      <Text size="sm">
        <Foreign value={[skill ?? kind, target && `on ${target}`, connection && `via ${connection}`].filter(Boolean).join(' ')} />
        {line !== null && (
          <span className="quiet">
            {' '}
            · line {line} of {playbook === null ? 'the playbook' : <Foreign value={playbook} />}
          </span>
        )}
      </Text>
      {began_at !== null && (
        <Text size="sm">
          <When at={began_at} />
          {ended_at !== null && <span className="quiet"> · took {durationText(Math.max(0, ended_at - began_at))}</span>}
        </Text>
      )}
      {error && (
        <Alert color="red" title={<Foreign value={error.message} />}>
          {error.remedy !== null && (
            <Text size="sm">
              <Foreign value={remedyHere(error.remedy)} />
            </Text>
          )}
          <Code>{error.code}</Code>
          {error.step !== null && error.step !== address && (
            <Text size="sm">
              It happened at <Link href={stepAddress(run, error.step)}>{error.step}</Link>.
            </Text>
          )}
          {error.vendor && <Json value={error.vendor} label="What the external system said" />}
        </Alert>
      )}
      <Conditions why={step.why} />
      {decisions.map(({ id, title, state, answers }) => (
        <Text size="sm" key={id}>
          <Link href={addressOf.decision(id)}>
            <Foreign value={title} />
          </Link>{' '}
          <Badge color="grape">{state}</Badge>{' '}
          <Foreign value={answers.map(({ by, verdict, reason }) => `${by}: ${verdict}${reason === null ? '' : ` (${reason})`}`).join('; ')} />
        </Text>
      ))}
      <Value name="Input" shown={step.input} />
      <Value name="Output" shown={step.output} />
      {attempts.length > 0 && (
        <div>
          <Text size="sm" fw={600}>
            Tries
          </Text>
          <ol className="run-tries">
            {attempts.map(({ request, number, at, effect, code }) => (
              <li key={`${request} ${number} ${at}`}>
                <When at={at} /> {request === null ? '' : `request ${request}, try ${number}`} {effect === null ? '' : effect.replace('_', ' ')}{' '}
                {code !== null && <Code>{code}</Code>}
              </li>
            ))}
          </ol>
        </div>
      )}
      {warnings.map((warning) => (
        <Text size="sm" c="dimmed" key={warning}>
          <Foreign value={warning} />
        </Text>
      ))}
      {step.note != null && (
        <Text size="sm" c="dimmed">
          <Foreign value={step.note} />
        </Text>
      )}
    </Stack>
  )
}

/** An input or an output. A long one shows its beginning; a button loads the rest. */
function Value({ name, shown }: { readonly name: string; readonly shown: RunStepView['input'] }): JSX.Element | null {
  const [wanted, setWanted] = useState(false)
  const href = shown?.href
  const { data, error, isFetching } = useQuery({
    queryKey: ['run value', href],
    queryFn: ({ signal }) => ask<unknown>('GET', href ?? '', undefined, signal),
    enabled: wanted && href !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (!shown) return null
  return (
    <div>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      {data !== undefined ? (
        <Json value={data} label={name} />
      ) : shown.beginning === undefined ? (
        <Json value={shown.value ?? null} label={name} />
      ) : (
        <Json value={`${shown.beginning}…`} label={`${name}, its beginning`} />
      )}
      {error && <ProblemNote error={error} />}
      {href !== undefined && data === undefined && (
        <Button size="compact-sm" variant="default" loading={isFetching} onClick={() => setWanted(true)}>
          Load all of the {name.toLowerCase()}
        </Button>
      )}
    </div>
  )
}
