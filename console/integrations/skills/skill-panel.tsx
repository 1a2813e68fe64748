import { Accordion, Alert, Badge, Group, List, Table as MantineTable, Stack, Text, Title } from '@mantine/core'
import type { JSX } from 'react'
import type { SkillView } from '../../../runtime/api/index.ts'
import { Json } from '../../shared/foreign.tsx'
import { impactWords, repeatWords, spelled } from '../words.ts'
import { SchemaFields } from './schema-fields.tsx'

/** What a skill does and needs, with its inputs and outputs. */
export function SkillPanel({ skill }: { readonly skill: SkillView }): JSX.Element {
  const { word, color, means } = impactWords[skill.impact]
  return (
    <Stack gap="md" component="section" aria-label={skill.title}>
      <Stack gap={4}>
        <Group gap="sm">
          <Title order={2} size="h4">
            {skill.title}
          </Title>
          <Badge color={color} variant="light">
            {word}
          </Badge>
          <Badge variant="outline" color="gray">
            {spelled(skill.category)}
          </Badge>
        </Group>
        <Text>{skill.purpose}</Text>
        <code>{skill.id}</code>
      </Stack>
      {skill.warnings.length > 0 && (
        <Alert color="yellow" title="Before you call it">
          <List size="sm" spacing={4}>
            {skill.warnings.map((warning) => (
              <List.Item key={warning}>{warning}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Facts skill={skill} means={means} />
      <Accordion variant="contained" multiple>
        <Accordion.Item value="input">
          <Accordion.Control>Input</Accordion.Control>
          <Accordion.Panel>
            <SchemaFields label="Input" schema={skill.input} />
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="output">
          <Accordion.Control>Output</Accordion.Control>
          <Accordion.Panel>
            <SchemaFields label="Output" schema={skill.output} />
          </Accordion.Panel>
        </Accordion.Item>
        {skill.example !== null && (
          <Accordion.Item value="example">
            <Accordion.Control>Example</Accordion.Control>
            <Accordion.Panel>
              <Text size="sm" fw={600}>
                Input
              </Text>
              <Json value={skill.example} label="Example input" />
              {skill.example_output !== null && (
                <>
                  <Text size="sm" fw={600}>
                    Output
                  </Text>
                  <Json value={skill.example_output} label="Example output" />
                </>
              )}
            </Accordion.Panel>
          </Accordion.Item>
        )}
      </Accordion>
    </Stack>
  )
}

function Facts({ skill, means }: { readonly skill: SkillView; readonly means: string }): JSX.Element {
  const { minimum_role: role, requires, api, undo, repeat, timeout_ms: timeout } = skill
  const facts = [
    ['Impact', means],
    ...(requires === null && role === null ? [] : [['Needs', requires ?? `the role ${role}`] as const]),
    ...(role === null ? [] : [['Minimum role', role] as const]),
    ...(undo === null
      ? skill.writes
        ? [['Undo', 'No skill takes it back.'] as const]
        : []
      : [['Undo', `${undo.skill}${undo.conditional ? ', for some calls' : ''}`] as const]),
    ...(repeat === null ? [] : [['Lost answers', repeatWords[repeat]] as const]),
    ...(api === null ? [] : [['API', api] as const]),
    ['Time-out', `${timeout / 1_000} s`],
  ] as const
  return (
    <MantineTable variant="vertical" layout="fixed" aria-label="About the skill">
      <MantineTable.Tbody>
        {facts.map(([label, value]) => (
          <MantineTable.Tr key={label}>
            <MantineTable.Th w={140}>{label}</MantineTable.Th>
            <MantineTable.Td style={{ overflowWrap: 'anywhere' }}>{value}</MantineTable.Td>
          </MantineTable.Tr>
        ))}
      </MantineTable.Tbody>
    </MantineTable>
  )
}
