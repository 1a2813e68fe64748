import { Alert, Stack, Text } from '@mantine/core'
import type { JSX } from 'react'
import type { ConnectionTestView } from '../../../runtime/api/index.ts'
import { remedyHere } from '../../api/remedies.ts'
import { Foreign } from '../../shared/foreign.tsx'
import { Time } from '../../shared/time/time.tsx'

/** The result of a test, with its cause and what to do about it. */
export function TestResult({ test }: { readonly test: ConnectionTestView }): JSX.Element {
  const { ok, status, code, cause, remedy, checked_at: at, reachable, reachable_note: note, role } = test
  const warned = ok && code !== null
  return (
    <Alert
      color={ok ? (warned ? 'yellow' : 'teal') : 'red'}
      title={ok ? (warned ? 'The credentials work, but' : 'The credentials work') : 'The test failed'}
      role={ok ? 'status' : 'alert'}
    >
      <Stack gap={4}>
        {cause !== null && <Foreign value={cause} />}
        {remedy !== null && (
          <Text size="sm" fw={600}>
            <Foreign value={remedyHere(remedy)} />
          </Text>
        )}
        {role !== null && (
          <span>
            The system says that the role is <Foreign value={role} />.
          </span>
        )}
        {!ok && reachable !== null && (
          <Text size="sm" c="dimmed">
            {reachable ? 'The system can be reached.' : 'The system cannot be reached.'} {note !== null && <Foreign value={note} />}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          Tested <Time at={at} />
          {!ok && status !== null && `, status ${status}`}
          {code !== null && (
            <>
              , <code>{code}</code>
            </>
          )}
        </Text>
      </Stack>
    </Alert>
  )
}
