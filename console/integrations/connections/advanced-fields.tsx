import { Accordion, NativeSelect, Stack, Switch, TagsInput, TextInput } from '@mantine/core'
import type { JSX, ReactNode } from 'react'
import type { IntegrationView } from '../../../runtime/api/index.ts'
import { TimeField } from '../../shared/time/time-field.tsx'
import type { Draft } from './draft.ts'

interface AdvancedProps {
  readonly integration: IntegrationView
  readonly draft: Draft
  /** The credential fields that the manifest calls advanced. */
  readonly children: ReactNode
  problemOf(field: string): string | null
  onChange(change: Partial<Draft>): void
}

/** Role, expiry, slots and what else most connections do not need. */
export function AdvancedFields({ integration, draft, children, problemOf, onChange }: AdvancedProps): JSX.Element {
  const roles = [...new Set(integration.roles.flat())]
  const needed = problemOf('slots') !== null || problemOf('role') !== null || problemOf('is_default') !== null
  return (
    <Accordion variant="contained" defaultValue={needed ? 'advanced' : null} {...(needed && { value: 'advanced' })}>
      <Accordion.Item value="advanced">
        <Accordion.Control>Expiry, role, slots and more</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="md">
            {children}
            <TimeField
              label="Expiry"
              description="After this, Tocsin treats the credentials as expired and sends nothing. It changes nothing in the external system."
              placeholder="Never"
              value={draft.expiresAt}
              onChange={(expiresAt) => onChange({ expiresAt })}
            />
            {roles.length > 0 && (
              <NativeSelect
                label="Role"
                description={
                  integration.tells_role
                    ? 'Leave it open: a test asks the system for it.'
                    : 'The role that the credentials have. Tocsin refuses skills that need a higher one.'
                }
                data={[{ value: '', label: 'Not given' }, ...roles]}
                value={draft.role}
                error={problemOf('role')}
                onChange={(event) => onChange({ role: event.currentTarget.value })}
              />
            )}
            <TagsInput
              label="Slots"
              description="Slots of playbooks that use this connection before any other, each <playbook>.<slot>."
              value={[...draft.slots]}
              error={problemOf('slots')}
              onChange={(slots) => onChange({ slots })}
            />
            <Switch
              label="Default"
              description="Use this connection if the organization has several of this integration."
              checked={draft.isDefault}
              error={problemOf('is_default')}
              onChange={(event) => onChange({ isDefault: event.currentTarget.checked })}
            />
            <TextInput
              label="Remote agent"
              description="The name of an agent. Needed only if the system is in a private network. Calls never go around it."
              value={draft.remoteAgent}
              onChange={(event) => onChange({ remoteAgent: event.currentTarget.value })}
            />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
