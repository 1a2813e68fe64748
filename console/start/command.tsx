import { Code, Group, Text } from '@mantine/core'
import type { JSX } from 'react'
import { Copy } from '../shared/copy.tsx'

/** Quotes a text for a shell, if it needs that. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** A command to copy. Without `about`, it does the same as the form above it. */
export function Command({ text, about = 'The same on the command line' }: { readonly text: string; readonly about?: string }): JSX.Element {
  return (
    <div>
      <Text size="xs" c="dimmed" mb={2}>
        {about}
      </Text>
      <Group gap={4} wrap="nowrap" align="flex-start">
        <Code block className="start-command">
          {text}
        </Code>
        <Copy value={text} what="the command" />
      </Group>
    </div>
  )
}
