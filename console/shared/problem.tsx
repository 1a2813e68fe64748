import { Alert, Code, List, Text } from '@mantine/core'
import type { JSX } from 'react'
import { Refused } from '../api/refused.ts'
import { Foreign } from './foreign.tsx'
import { IconAlertTriangle } from './icons.ts'

/** Shows an error: what happened, why, and what to do. */
export function ProblemNote({ error }: { readonly error: unknown }): JSX.Element {
  const icon = <IconAlertTriangle size={18} aria-hidden />
  if (!(error instanceof Refused))
    return (
      <Alert role="alert" color="red" icon={icon} title="The console failed unexpectedly." my="sm">
        <Foreign value={String(error)} />
      </Alert>
    )
  const { title, detail, remedy, errors = [], code } = error.problem
  return (
    <Alert role="alert" color="red" icon={icon} title={<Foreign value={title} />} my="sm">
      {detail !== title && (
        <Text size="sm">
          <Foreign value={detail} />
        </Text>
      )}
      {errors.length > 0 && (
        <List size="sm" my={4}>
          {errors.map(({ field, message }) => (
            <List.Item key={`${field} ${message}`}>
              <Foreign value={field === '' ? message : `${field}: ${message}`} />
            </List.Item>
          ))}
        </List>
      )}
      <Text size="sm" mt={4}>
        <Foreign value={remedy} /> <Code>{code}</Code>
      </Text>
    </Alert>
  )
}
