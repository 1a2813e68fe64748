import { Code, Group, Text } from '@mantine/core'
import type { JSX } from 'react'
import { Copy } from '../../shared/copy.tsx'
import { ForeignBlock } from '../../shared/foreign.tsx'

/** A fetch that works with the browser-security platform. The comments say what to change for another system. */
const example = `name: Detections of Acme
organization_code: ACME
# The name of the connection, and a skill that only reads.
connection: browser
skill: list_browser_detections
input:
  created_after: '{{ since.seconds }}'
# Where the answer has the list of alerts.
items_at: /detections
# The code of a provider.
alert_provider: BROWSER
# The type of alerts that have none of their own.
alert_type: browser_detection
# Where an alert has its type, its id and its time.
alert_type_at: /detectionType
idempotency_key_at: /id
created_at_source_at: /creationTimestamp
every_seconds: 60
`

const commands = [
  ['tocsin fetch try fetch.yaml', 'shows which alerts it would bring, and stores nothing'],
  ['tocsin fetch add fetch.yaml', 'creates the fetch, which begins at once'],
] as const

/** How to add a fetch: a file to begin with, and the commands. @param open whether it shows at once */
export function AddFetch({ open }: { readonly open: boolean }): JSX.Element {
  return (
    <details className="add-fetch" open={open}>
      <summary>Add a fetch</summary>
      <Group gap={4} mt="xs" mb={4} wrap="nowrap">
        <Text size="sm">
          Save this as <Code>fetch.yaml</Code>, and change it to your system
        </Text>
        <Copy value={example} what="the file" />
      </Group>
      <ForeignBlock value={example} label="Example of a file" />
      {commands.map(([command, does]) => (
        <Group key={command} gap={4} mt="xs">
          <Code>{command}</Code>
          <Copy value={command} what={command} />
          <Text size="sm">{does}</Text>
        </Group>
      ))}
      <Text size="sm" c="dimmed" mt="xs">
        The guide “Connect an alert source” explains every field.
      </Text>
    </details>
  )
}
