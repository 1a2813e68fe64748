import { Alert, List, Stack, Text } from '@mantine/core'
import type { JSX } from 'react'
import type { SkillResultView } from '../../../runtime/api/index.ts'
import { remedyHere } from '../../api/remedies.ts'
import { Foreign, Json } from '../../shared/foreign.tsx'
import { AndMore } from '../../shared/list/and-more.tsx'
import { effectWords } from '../words.ts'

/** The most warnings that are listed. */
const mostWarnings = 50

/** The output of a call, or why there is none and what to do. */
export function CallResult({ result, writes }: { readonly result: SkillResultView; readonly writes: boolean }): JSX.Element {
  const { ok, output, warnings = [], effect, code, message, remedy, retry_after: wait, vendor, requests } = result
  return (
    <Stack gap="sm" component="section" aria-label="Result">
      <Alert color={ok ? 'teal' : 'red'} role={ok ? 'status' : 'alert'} title={ok ? (writes ? 'Done' : 'The system answered') : 'The call failed'}>
        <Stack gap={4}>
          {!ok && message !== undefined && <Foreign value={message} />}
          {!ok && writes && effect !== undefined && <strong>{effectWords[effect]}</strong>}
          {remedy && (
            <Text size="sm" fw={600}>
              <Foreign value={remedyHere(remedy)} />
            </Text>
          )}
          {wait !== undefined && <span>The system asks to wait {wait} s.</span>}
          {code !== undefined && <code>{code}</code>}
        </Stack>
      </Alert>
      {warnings.length > 0 && (
        <Alert color="yellow" title="The output does not match the skill's schema">
          <List size="sm">
            {warnings.slice(0, mostWarnings).map((warning) => (
              <List.Item key={warning}>
                <Foreign value={warning} />
              </List.Item>
            ))}
          </List>
          <AndMore all={warnings.length} shown={mostWarnings} />
        </Alert>
      )}
      {vendor && <Shown label="What the system says" value={vendor} />}
      {requests && <Shown label="Requests that were answered" value={requests} />}
      {output !== undefined && <Shown label="Output" value={output} />}
    </Stack>
  )
}

function Shown({ label, value }: { readonly label: string; readonly value: unknown }): JSX.Element {
  return (
    <div>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Json value={value} label={label} />
    </div>
  )
}
