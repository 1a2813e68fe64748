import { Alert, Code, Group, Stack, Table, Text } from '@mantine/core'
import type { JSX } from 'react'
import type { SkillPreviewView } from '../../../runtime/api/index.ts'
import { Foreign, Json } from '../../shared/foreign.tsx'

/** The exact call, without the credentials. */
export function CallShown({ preview }: { readonly preview: SkillPreviewView }): JSX.Element {
  const { request, targets, organization_code: organization, instance, quota, input } = preview
  return (
    <Stack gap="sm">
      <Table variant="vertical" layout="fixed" aria-label="The call">
        <Table.Tbody>
          <Row label="Connection">
            <Foreign value={instance} /> ({organization === null ? 'shared with every organization' : <Foreign value={organization} />})
          </Row>
          {targets.length > 0 && (
            <Row label={targets.length === 1 ? 'Target' : 'Targets'}>
              <Group gap="xs">
                {targets.map((target) => (
                  <strong key={target}>
                    <Foreign value={target} />
                  </strong>
                ))}
              </Group>
            </Row>
          )}
          {quota && (
            <Row label="Quota">
              {quota.used} of {quota.calls} calls used
            </Row>
          )}
        </Table.Tbody>
      </Table>
      {request ? (
        <>
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            <Foreign value={`${request.method} ${request.url}`} />
            {request.headers.map(({ name, value }) => (
              <div key={`${name} ${value}`}>
                {name}: {value === null ? '•••••• (credentials)' : <Foreign value={value} />}
              </div>
            ))}
          </Code>
          {request.body !== undefined && <Json value={request.body} label="Body" />}
          {request.signing !== null && <Text size="sm">{request.signing}</Text>}
          {request.unknown.length > 0 && (
            <Text size="sm" c="dimmed">
              Known only when it is sent: {request.unknown.join(', ')}.
            </Text>
          )}
        </>
      ) : (
        <>
          <Alert color="gray">Code of the skill decides which requests it sends. It is called with this input:</Alert>
          <Json value={input} label="Input" />
        </>
      )}
    </Stack>
  )
}

function Row({ label, children }: { readonly label: string; readonly children: React.ReactNode }): JSX.Element {
  return (
    <Table.Tr>
      <Table.Th w={120}>{label}</Table.Th>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{children}</Table.Td>
    </Table.Tr>
  )
}
