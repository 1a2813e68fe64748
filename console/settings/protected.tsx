import { Badge, Button, Code, Group, Table as MantineTable, Text } from '@mantine/core'
import type { JSX } from 'react'
import type { PolicyView } from '../../runtime/api/index.ts'
import { useAddress } from '../shared/address.ts'
import { Foreign } from '../shared/foreign.tsx'
import { Empty } from '../shared/states.tsx'
import { Table } from '../shared/table.tsx'
import { useMay } from '../shell/who.ts'

type Rule = PolicyView['protected'][number]

/** The protected entities of a policy. People change them in the text of the policy. */
export function Protected({ policy: { protected: rules } }: { readonly policy: PolicyView }): JSX.Element {
  const { set } = useAddress()
  const mayWrite = useMay()('policy:write')
  return (
    <>
      <Group justify="space-between">
        <Text size="sm">No call that acts on one of these is sent. Runs that have started keep to it, too.</Text>
        {mayWrite && (
          <Button variant="default" onClick={() => set({ tab: null })}>
            Change them in the text
          </Button>
        )}
      </Group>
      {rules.length === 0 ? (
        <Empty title="Nothing is protected.">
          Add what must never be locked out under <Code>protected</Code>: break-glass accounts, domain controllers.
        </Empty>
      ) : (
        <Table headings={['Entities', 'From', 'Why']}>
          {rules.map((rule, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rules have no id, and change all at once
            <Shown key={at} rule={rule} />
          ))}
        </Table>
      )}
    </>
  )
}

function Shown({ rule: { names, pattern, skills, reason } }: { readonly rule: Rule }): JSX.Element {
  return (
    <MantineTable.Tr>
      <MantineTable.Td>
        <Group gap={4}>
          {names.map((name) => (
            <Badge key={name} color="gray">
              <Foreign value={name} />
            </Badge>
          ))}
          {pattern !== null && (
            <Text size="sm" span>
              matching <Code>/{pattern}/</Code>
            </Text>
          )}
        </Group>
      </MantineTable.Td>
      <MantineTable.Td>
        <Foreign value={skills === null ? 'every call that changes something' : skills.join(', ')} />
      </MantineTable.Td>
      <MantineTable.Td>
        <Foreign value={reason} />
      </MantineTable.Td>
    </MantineTable.Tr>
  )
}
