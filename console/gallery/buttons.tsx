import { Button, Checkbox, Group, Radio, Select, Stack, Textarea, TextInput, Title } from '@mantine/core'
import type { JSX } from 'react'
import { done, failed } from '../shared/toasts.tsx'

/** Buttons, inputs and messages. */
export function Buttons(): JSX.Element {
  return (
    <Stack gap="sm" component="section" aria-label="Buttons and inputs">
      <Title order={2}>Buttons and inputs</Title>
      <Group>
        <Button>Save</Button>
        <Button variant="default">Cancel</Button>
        <Button variant="light">Test</Button>
        <Button color="red">Suspend the user</Button>
        <Button loading>Save</Button>
        <Button disabled>Save</Button>
      </Group>
      <Group>
        <Button variant="default" onClick={() => done({ text: 'ACME-42 is closed', undo: () => done({ text: 'ACME-42 is open again' }) })}>
          Show what was done
        </Button>
        <Button variant="default" onClick={() => failed('ACME-42 is still open', new Error('Tocsin does not answer'))}>
          Show a failure
        </Button>
      </Group>
      <Group align="flex-start">
        <TextInput label="Name" description="Letters and digits" placeholder="mfa-prod" error="The name is taken." />
        <Select label="Severity" data={['low', 'medium', 'high']} defaultValue="medium" />
        <Textarea label="Reason" rows={2} />
        <Checkbox label="Include closed" />
        <Radio label="Approve" description="The call is sent exactly as shown." />
      </Group>
    </Stack>
  )
}
