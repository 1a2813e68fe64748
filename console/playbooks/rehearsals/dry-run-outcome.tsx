import { Alert, Stack, Text } from '@mantine/core'
import type { JSX, ReactNode } from 'react'
import type { DryRunView } from '../../../runtime/api/index.ts'
import { Foreign } from '../../shared/foreign.tsx'
import { count } from '../words.ts'
import { Call } from './calls.tsx'

const answers = { generated: 'answer made up from the output schema', given: 'answer given', read: 'answer read' } as const

/** What a run would do: whom it asks, what it calls, which branches it takes, and what it leaves in the case. */
export function DryRunOutcome({ dry }: { readonly dry: DryRunView }): JSX.Element {
  const { outcome, reason, error, calls, total_calls: total, ways, decisions, in_doubt: inDoubt, case: left } = dry
  const { title, severity, status, disposition, findings, notes, summary } = left
  return (
    <Stack gap="xs">
      <Text fw={600} size="sm">
        Outcome: {outcome}
        {reason !== null && (
          <>
            : <Foreign value={reason} />
          </>
        )}
      </Text>
      {error && (
        <Alert color="red" title={error.code}>
          <Foreign value={error.message} />
          {error.step !== null && (
            <>
              {' '}
              at <Foreign value={error.step} />
            </>
          )}
        </Alert>
      )}
      <Lines of="People would be asked" all={decisions.map((one) => one.title)} />
      <Lines of="In doubt" all={inDoubt} />
      <Text size="sm" fw={600}>
        {total === 0 ? 'No calls' : count(total, 'call')}
      </Text>
      {calls.map((call, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of the calls is fixed
        <Call key={at} call={call} note={answers[call.answer]} />
      ))}
      {total > calls.length && <Text size="sm">and {total - calls.length} more</Text>}
      {ways.length > 0 && (
        <Text size="sm" component="div">
          Branches:{' '}
          {ways.map(({ step, way }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the order of the branches is fixed
            <span key={at} className="listed">
              <Foreign value={step} /> {way}
            </span>
          ))}
        </Text>
      )}
      <Line of="Case">
        <Foreign value={title} /> · severity {severity} · status {status} · {disposition}
      </Line>
      <Lines of="Finding" all={findings.map((one) => `${one.title} (${one.risk})`)} />
      <Lines of="Note" all={notes} />
      <Lines of="Verdict" all={summary === null ? [] : [summary]} />
    </Stack>
  )
}

function Lines({ of, all }: { readonly of: string; readonly all: readonly string[] }): JSX.Element {
  return (
    <>
      {all.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change their order
        <Line key={at} of={of}>
          <Foreign value={text} />
        </Line>
      ))}
    </>
  )
}

function Line({ of, children }: { readonly of: string; readonly children: ReactNode }): JSX.Element {
  return (
    <Text size="sm" component="div">
      {of}: {children}
    </Text>
  )
}
