import { Button, Code, Group, JsonInput, Stack, Text } from '@mantine/core'
import type { JSX } from 'react'
import type { SkillView } from '../../../../runtime/api/index.ts'
import { SchemaFields } from '../../../integrations/skills/schema-fields.tsx'
import { Copy } from '../../../shared/copy.tsx'
import { inputIn, names } from './draft.ts'

/** What a template can read. */
const forms = ['{{ since.iso }}', '{{ since.seconds }}', '{{ since.milliseconds }}'] as const

interface InputProps {
  readonly skill: SkillView | null
  /** JSON, as it is typed. */
  readonly value: string
  readonly error: string | null
  onChange(value: string): void
}

/** The input of the skill. It is JSON and no form, because a template may stand for a number. */
export function InputField({ skill, value, error, onChange }: InputProps): JSX.Element {
  const input = inputIn(value)
  const says = /\{\{[^}]*\bsince\b/.test(value)
  return (
    <Stack gap={6}>
      <JsonInput
        label={names.input}
        description={
          <>
            A JSON object. The templates below are the time from which to ask. For the time until which to ask, write <Code>until</Code> instead of{' '}
            <Code>since</Code>.
          </>
        }
        autosize
        minRows={4}
        maxRows={16}
        spellCheck={false}
        classNames={{ input: 'code-field' }}
        value={value}
        error={input === null ? 'This is not a JSON object.' : error}
        onChange={onChange}
      />
      <Group gap="xs">
        {forms.map((form) => (
          <Group key={form} gap={2} wrap="nowrap">
            <Code>{form}</Code>
            <Copy value={`"${form}"`} what={form} />
          </Group>
        ))}
        {skill !== null && skill.example !== null && input !== null && Object.keys(input).length === 0 && (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange(JSON.stringify(skill.example, null, 2))}>
            Fill in the example
          </Button>
        )}
      </Group>
      {skill !== null && !says && (
        <Text size="sm" fw={600}>
          The input does not say since when. Each attempt would ask for everything.
        </Text>
      )}
      {skill !== null && (
        <details className="more">
          <summary>What {skill.title} takes</summary>
          <SchemaFields label="Input" schema={skill.input} />
        </details>
      )}
    </Stack>
  )
}
