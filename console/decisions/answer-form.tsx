import { Button, Checkbox, Fieldset, Group, Radio, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, type JSX, useRef, useState } from 'react'
import type { DecisionView } from '../../runtime/api/index.ts'
import { useBegun } from '../shell/begun.ts'
import { Keys, useShortcut } from '../shell/shortcuts.tsx'
import { answerIn, NotJson } from './answer.ts'
import type { Answering } from './use-answer.ts'
import { choosable, type Verdict, verdictWords } from './words.ts'

/** The key that chooses each verdict. It sends nothing. The button sends, or Ctrl with Enter. */
const keyOf: Readonly<Record<Verdict, string>> = { approve: 'a', decline: 'd', happened: '1', repeat: '2', give_up: '3' }

/** What somebody has typed beside the verdict. */
interface Typed {
  readonly reason: string
  readonly output: string
}

/**
 * The form for one answer. No verdict is preselected, and the button says what it will do. What somebody has typed stays while they look
 * at the evidence on other pages.
 */
export function AnswerForm({ decision, answering }: { readonly decision: DecisionView; readonly answering: Answering }): JSX.Element {
  const [chosen, setVerdict] = useState<Verdict | null>(null)
  const offered = choosable(decision)
  // Somebody else may have answered since, so that it is no longer offered.
  const verdict = chosen !== null && offered.includes(chosen) ? chosen : null
  const [fault, setFault] = useState<string | null>(null)
  const begun = useBegun<Typed>(`answer ${decision.id}`)
  const typed = begun.read() ?? { reason: '', output: '' }
  const keep = (part: Partial<Typed>): void => begun.keep({ ...typed, ...begun.read(), ...part })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    try {
      const answer = answerIn(form)
      setFault(null)
      if (answer && !answering.isPending) answering.send({ answer, likewise: form.has('likewise') })
    } catch (error) {
      if (!(error instanceof NotJson)) throw error
      setFault(error.message)
    }
  }
  const form = useRef<HTMLFormElement>(null)
  useShortcut('$mod+Enter', 'Send the chosen answer', verdict === null ? null : () => form.current?.requestSubmit())
  const others = (decision.quota?.waiting ?? 0) - 1
  return (
    <form onSubmit={submit} ref={form}>
      <Fieldset legend="Your answer" disabled={answering.isPending} my="md">
        <Stack gap="sm">
          <Radio.Group name="verdict" value={verdict} onChange={(choice) => setVerdict(choice as Verdict)} required aria-label="Your answer">
            <Stack gap="xs">
              {offered.map((one) => (
                <Choice key={one} verdict={one} onChoose={() => setVerdict(one)} />
              ))}
            </Stack>
          </Radio.Group>
          {verdict === 'happened' && (
            <Textarea
              label="The answer of the system, as JSON, if later steps need it"
              name="output"
              rows={4}
              defaultValue={typed.output}
              onChange={({ currentTarget }) => keep({ output: currentTarget.value })}
              placeholder="{}"
              spellCheck={false}
              error={fault}
              classNames={{ input: 'code-field' }}
            />
          )}
          <Textarea
            label="Reason (shown in the case)"
            name="reason"
            rows={2}
            maxLength={2000}
            defaultValue={typed.reason}
            onChange={({ currentTarget }) => keep({ reason: currentTarget.value })}
          />
          {others > 0 && (
            <Checkbox
              name="likewise"
              label={`give the same answer to the ${others} other ${others === 1 ? 'decision' : 'decisions'} for this quota`}
            />
          )}
          <Group gap="sm">
            <Button
              type="submit"
              disabled={verdict === null}
              loading={answering.isPending}
              color={verdict !== null && verdictWords[verdict].risky ? 'red' : 'harbour'}
            >
              {verdict === null ? 'Choose an answer' : verdictWords[verdict].name}
            </Button>
            <Text size="sm" c="dimmed" visibleFrom="sm">
              <Keys keys="$mod+Enter" /> sends it
            </Text>
          </Group>
        </Stack>
      </Fieldset>
    </form>
  )
}

function Choice({ verdict, onChoose }: { readonly verdict: Verdict; readonly onChoose: () => void }): JSX.Element {
  const { name, means } = verdictWords[verdict]
  const key = keyOf[verdict]
  useShortcut(key, `Choose: ${name}`, onChoose)
  return (
    <Group wrap="nowrap" align="flex-start" justify="space-between">
      <Radio value={verdict} label={name} description={means} />
      <Text span visibleFrom="sm" aria-hidden>
        <Keys keys={key} />
      </Text>
    </Group>
  )
}
