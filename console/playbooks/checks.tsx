import { Alert, Badge, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { JSX } from 'react'
import type { LintedPlaybookView } from '../../runtime/api/index.ts'
import { Foreign } from '../shared/foreign.tsx'
import { AndMore } from '../shared/list/and-more.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { Impact } from './impact.tsx'

const mostShown = 100

interface ChecksProps {
  readonly query: UseQueryResult<LintedPlaybookView>
  /** Whether the result is about the text as it is now. */
  readonly fresh: boolean
  /** Shows a line of the text. */
  readonly onShow: (line: number) => void
}

/** The mistakes of the text as it is being written, and its worst case. */
export function Checks({ query: { data, error, isPending }, fresh, onShow }: ChecksProps): JSX.Element {
  if (isPending) return <Loading what="Checking" />
  return (
    <Stack gap="sm" aria-busy={!fresh}>
      {error && <ProblemNote error={error} />}
      <Text size="xs" c="dimmed" role="status">
        {error ? 'The last check failed.' : fresh ? summaryOf(data) : 'Checking …'}
      </Text>
      {data?.findings.slice(0, mostShown).map(({ code, severity, message, line, column, fix }) => (
        <UnstyledButton key={`${line}:${column} ${code} ${message}`} className="told" onClick={() => onShow(line)}>
          <Group gap={6} wrap="nowrap" align="flex-start">
            <Badge color={severity === 'error' ? 'red' : 'orange'}>{severity}</Badge>
            <span>
              <Text size="sm" component="span">
                <Foreign value={message} />
              </Text>
              <Text size="xs" c="dimmed" component="span" display="block">
                line {line}, column {column} · {code}
                {fix && ` · fix: ${fix.title}`}
              </Text>
            </span>
          </Group>
        </UnstyledButton>
      ))}
      {data && <AndMore all={data.findings.length} shown={mostShown} />}
      {data?.playbook ? (
        <Impact playbook={data.playbook} />
      ) : (
        <Alert color="gray" title="The worst case is unknown">
          Correct the errors first.
        </Alert>
      )}
    </Stack>
  )
}

function summaryOf(data: LintedPlaybookView | undefined): string {
  const found = data?.findings ?? []
  const errors = found.filter(({ severity }) => severity === 'error').length
  if (found.length === 0) return 'No mistakes.'
  return `${errors} ${errors === 1 ? 'error' : 'errors'}, ${found.length - errors} ${found.length - errors === 1 ? 'warning' : 'warnings'}.`
}
