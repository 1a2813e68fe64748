import { Alert, Button, Checkbox, Group, JsonInput, NativeSelect, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import { Link } from 'wouter'
import type { ConnectionAnswer, IntegrationView, SkillPreviewView, SkillView } from '../../../runtime/api/index.ts'
import { parseExactly } from '../../api/exact-json.ts'
import { connectionList } from '../../api/integrations.ts'
import { Refused } from '../../api/refused.ts'
import { remedyHere } from '../../api/remedies.ts'
import { Foreign } from '../../shared/foreign.tsx'
import { addressOf } from '../../shared/links.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { Dialog } from '../../shell/dialog.tsx'
import { useMay } from '../../shell/who.ts'
import { healthOf, healthWords, impactWords } from '../words.ts'
import { CallResult } from './call-result.tsx'
import { CallShown } from './call-shown.tsx'
import { isObject } from './schema-rows.ts'
import { SkillForm } from './skill-form.tsx'
import { useCall } from './use-call.ts'

interface TryProps {
  readonly skill: SkillView
  readonly integration: IntegrationView
}

/** Calls a skill by hand. A read is sent at once, a write only after a person has seen and confirmed the exact call. */
export function TrySkill({ skill, integration }: TryProps): JSX.Element {
  const { data, error } = useQuery(connectionList(integration.id))
  const may = useMay()
  if (error && !data) return <ProblemNote error={error} />
  if (!data) return <Loading what="Loading the connections" />
  return (
    <Paper withBorder p="md" component="section" aria-label="Try it">
      <Stack gap="md">
        <Title order={3} size="h5">
          Try it
        </Title>
        {skill.writes && !may('connections:write') ? (
          <Text c="dimmed">This skill writes. Your key lacks the permission connections:write.</Text>
        ) : data.items.length === 0 ? (
          <Text>
            There is no connection to call it with. <Link href={`${addressOf.integration(integration.id)}/connect`}>Connect {integration.name}</Link>
          </Text>
        ) : (
          <CallForm skill={skill} connections={data.items} />
        )}
      </Stack>
    </Paper>
  )
}

function CallForm({ skill, connections }: { readonly skill: SkillView; readonly connections: readonly ConnectionAnswer[] }): JSX.Element {
  const [connection, setConnection] = useState(connections[0]?.id ?? null)
  const [input, setInput] = useState<unknown>({})
  const [text, setText] = useState<string | null>(null)
  const { preview, run, send, show, forget } = useCall(skill, connection)
  const parsed = text === null ? input : parsedText(text)
  const change = (value: unknown): void => {
    if (JSON.stringify(value) === JSON.stringify(input)) return
    setInput(value)
    if (!run.isPending) forget()
  }
  const shown = preview.data ?? null
  const asking = skill.writes && shown !== null && shown.faults.length === 0 && run.isIdle
  const busy = preview.isPending || run.isPending
  return (
    <Stack gap="md">
      <NativeSelect
        label="Connection"
        value={connection ?? ''}
        disabled={busy}
        data={connections.map((each) => ({
          value: each.id,
          label: `${each.instance} (${each.organization_code ?? 'shared'}): ${healthWords[healthOf(each)].word}`,
        }))}
        onChange={(event) => {
          setConnection(event.currentTarget.value)
          forget()
        }}
      />
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label="How to enter the input"
          data={['Form', 'JSON']}
          value={text === null ? 'Form' : 'JSON'}
          onChange={(how) => {
            if (how === 'JSON') setText(JSON.stringify(input, null, 2))
            else if (isObject(parsed)) {
              setInput(parsed)
              setText(null)
            }
          }}
        />
        {skill.example !== null && (
          <Button
            size="xs"
            variant="subtle"
            disabled={busy}
            onClick={() => {
              setInput(skill.example)
              setText(text === null ? null : JSON.stringify(skill.example, null, 2))
              forget()
            }}
          >
            Fill in the example
          </Button>
        )}
      </Group>
      {text === null ? (
        <SkillForm schema={skill.input} value={input} faults={shown?.faults ?? []} disabled={busy} onChange={change} />
      ) : (
        <JsonInput
          label="Input"
          autosize
          minRows={4}
          maxRows={16}
          value={text}
          error={isObject(parsed) ? null : 'This is not a JSON object.'}
          onChange={(value) => {
            setText(value)
            forget()
          }}
        />
      )}
      {shown &&
        text !== null &&
        shown.faults.map(({ field, message }) => (
          <Text key={`${field} ${message}`} c="red" role="alert">
            {message}
          </Text>
        ))}
      <Group>
        <Button
          disabled={!isObject(parsed)}
          loading={busy}
          {...(skill.writes && { color: impactWords[skill.impact].color })}
          onClick={() => isObject(parsed) && show(parsed)}
        >
          {skill.writes ? 'Show the call' : 'Run'}
        </Button>
      </Group>
      {preview.error && <ProblemNote error={preview.error} />}
      {shown?.refused && !asking && <RefusedNote refused={shown.refused} />}
      {asking && <Confirm skill={skill} preview={shown} onSend={() => send(shown)} onClose={forget} />}
      {run.error && <NoAnswer error={run.error} writes={skill.writes} />}
      {run.data && <CallResult result={run.data} writes={skill.writes} />}
    </Stack>
  )
}

/** Asks a person to confirm the exact call. */
function Confirm({
  skill,
  preview,
  onSend,
  onClose,
}: {
  readonly skill: SkillView
  readonly preview: SkillPreviewView
  onSend(): void
  onClose(): void
}): JSX.Element {
  const [sure, setSure] = useState(false)
  const { means, color, word } = impactWords[preview.impact]
  return (
    <Dialog onClose={onClose} size="lg" title={`Send ${skill.title}?`}>
      <Stack>
        <Alert color={color} title={word}>
          {means} {skill.undo === null ? 'No skill takes it back.' : `${skill.undo.skill} takes it back.`}
          {skill.warnings.map((warning) => (
            <div key={warning}>{warning}</div>
          ))}
        </Alert>
        <CallShown preview={preview} />
        {preview.refused ? (
          <RefusedNote refused={preview.refused} />
        ) : (
          <Checkbox
            label="I want to make this change in the external system now."
            checked={sure}
            onChange={(event) => setSure(event.currentTarget.checked)}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Do not send
          </Button>
          <Button color={color} disabled={!sure || preview.refused !== null} onClick={onSend}>
            Send it once
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function RefusedNote({ refused: { code, message, remedy } }: { readonly refused: NonNullable<SkillPreviewView['refused']> }): JSX.Element {
  return (
    <Alert color="red" role="alert" title="Tocsin would not send it now">
      <Foreign value={message} /> {remedy !== null && <Foreign value={remedyHere(remedy)} />} <code>{code}</code>
    </Alert>
  )
}

/** There is no result. After a write, nobody knows whether it happened, unless the API refused the request. */
function NoAnswer({ error, writes }: { readonly error: Error; readonly writes: boolean }): JSX.Element {
  const lost = writes && !(error instanceof Refused && error.problem.status >= 400 && error.problem.status < 500)
  return (
    <Stack gap="xs">
      {lost && (
        <Alert color="red" role="alert" title="The answer was lost">
          Nobody knows whether the change was made. It was not sent again. Check in the external system before you try again.
        </Alert>
      )}
      <ProblemNote error={error} />
    </Stack>
  )
}

function parsedText(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    return null
  }
}
