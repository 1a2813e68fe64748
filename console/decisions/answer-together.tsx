import { Badge, Button, Checkbox, Group, Radio, Stack, Text, Textarea } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type FormEvent, type JSX, useRef, useState } from 'react'
import type { DecisionView } from '../../runtime/api/index.ts'
import { Foreign } from '../shared/foreign.tsx'
import { Dialog } from '../shell/dialog.tsx'
import { Keys, ofDialog, useShortcut } from '../shell/shortcuts.tsx'
import { type Alike, mostTogether } from './alike.ts'
import { answerIn } from './answer.ts'
import { Call } from './call.tsx'
import { DeadEndNote } from './dead-end.tsx'
import { Deadline } from './deadline.tsx'
import { type Outcome, useAnswerTogether } from './use-answer-together.ts'
import { choosable, kinds, onlyDecline, states, type Verdict, verdictWords } from './words.ts'

interface AnswerTogetherProps extends Alike {
  readonly onClose: () => void
}

/**
 * A dialog that gives one answer to several decisions that are alike. It shows the exact calls of each. No answer is chosen in advance.
 * Each decision gets its own answer, is recorded on its own, and shows its own result.
 */
export function AnswerTogether({ together: decisions, count, onClose }: AnswerTogetherProps): JSX.Element {
  const [kept, keep] = useState<ReadonlySet<string>>(new Set(decisions.map(({ id }) => id)))
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  const { send, isPending, outcomes } = useAnswerTogether()
  const form = useRef<HTMLFormElement>(null)
  const narrow = useMediaQuery('(max-width: 48em)') ?? false
  const left = decisions.filter(({ id }) => kept.has(id) && !isAnswered(outcomes.get(id)))
  const [first] = decisions
  const offered = first ? choosable(first) : []
  const ready = verdict !== null && left.length > 0 && !isPending
  useShortcut('$mod+Enter', 'Send the chosen answer', ready ? () => form.current?.requestSubmit() : null, ofDialog)
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const answer = answerIn(new FormData(event.currentTarget))
    if (answer && ready) void send(left, answer)
  }
  const toggle = (id: string): void => {
    const next = new Set(kept)
    if (!next.delete(id)) next.add(id)
    keep(next)
  }
  const done = outcomes.size > 0 && left.length === 0
  return (
    <Dialog onClose={onClose} busy={isPending} size="xl" fullScreen={narrow} title={`Answer ${decisions.length} decisions`}>
      <form ref={form} onSubmit={submit}>
        <Stack gap="sm">
          {first && <Text size="sm">{kinds[first.kind].asks}</Text>}
          {count > decisions.length && (
            <Text size="sm">More are alike, but {mostTogether} are answered at once at most. Then the list offers the next ones.</Text>
          )}
          {first && first.cannot_approve !== null && <Text size="sm">{onlyDecline[first.cannot_approve]}</Text>}
          <DeadEndNote decisions={left} />
          {decisions.map((decision) => (
            <One
              key={decision.id}
              decision={decision}
              kept={kept.has(decision.id)}
              outcome={outcomes.get(decision.id)}
              frozen={isPending}
              onToggle={() => toggle(decision.id)}
            />
          ))}
          {!done && (
            <>
              <Radio.Group name="verdict" label="Your answer to each" value={verdict} onChange={(chosen) => setVerdict(chosen as Verdict)}>
                <Stack gap="xs" mt={6}>
                  {offered.map((one) => (
                    <Radio key={one} value={one} label={verdictWords[one].name} description={verdictWords[one].means} disabled={isPending} />
                  ))}
                </Stack>
              </Radio.Group>
              <Textarea label="Reason (shown in each case)" name="reason" rows={2} maxLength={2000} readOnly={isPending} />
            </>
          )}
          <Group justify="flex-end" className="dialog-foot">
            <Text size="sm" role="status" style={{ flex: 1 }}>
              {outcomes.size > 0 && summary(decisions, outcomes)}
            </Text>
            <Button variant="default" onClick={onClose} disabled={isPending}>
              {outcomes.size > 0 ? 'Close' : 'Cancel'}
            </Button>
            {!done && (
              <Button type="submit" disabled={!ready} loading={isPending} color={verdict !== null && verdictWords[verdict].risky ? 'red' : 'harbour'}>
                {verdict === null ? 'Choose an answer' : `${verdictWords[verdict].name} ${left.length}`}
              </Button>
            )}
          </Group>
          {!done && (
            <Text size="xs" c="dimmed" ta="right" visibleFrom="sm">
              <Keys keys="$mod+Enter" /> sends the chosen answer
            </Text>
          )}
        </Stack>
      </form>
    </Dialog>
  )
}

function isAnswered(outcome: Outcome | undefined): boolean {
  return outcome !== undefined && 'answered' in outcome
}

/** Whether nobody knows if the answer was recorded. Sending it again does no harm: Tocsin refuses a second answer of a person. */
function isLost(outcome: Outcome): boolean {
  return 'refused' in outcome && outcome.refused.status === 0
}

function summary(decisions: readonly DecisionView[], outcomes: ReadonlyMap<string, Outcome>): string {
  const became = [...outcomes.values()]
  const answered = became.filter(isAnswered).length
  const lost = became.filter(isLost).length
  const refused = became.length - answered - lost
  const more = [refused > 0 && `${refused} not answered: see why above`, lost > 0 && `${lost} unknown: Tocsin did not answer, so no more were sent`]
  return `${[`${answered} of ${decisions.length} answered`, ...more.filter((part) => part !== false)].join(', ')}.`
}

interface OneProps {
  readonly decision: DecisionView
  readonly kept: boolean
  readonly outcome: Outcome | undefined
  readonly frozen: boolean
  readonly onToggle: () => void
}

function One({ decision, kept, outcome, frozen, onToggle }: OneProps): JSX.Element {
  const { id, title, organization_code, case_id, actions, approvers } = decision
  return (
    <section className="together" aria-label={title}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Checkbox
          checked={kept}
          onChange={onToggle}
          disabled={frozen || isAnswered(outcome)}
          label={
            <strong>
              <Foreign value={title} />
            </strong>
          }
          description={
            <>
              <Foreign value={organization_code} />, case <Foreign value={case_id} />, deadline <Deadline decision={decision} />
              {approvers > 1 && `, ${approvers} different people must approve`}
            </>
          }
        />
        {outcome && <OutcomeBadge outcome={outcome} />}
      </Group>
      {outcome && 'refused' in outcome && (
        <Text size="sm" c="var(--mantine-color-error)">
          <Foreign value={`${outcome.refused.detail} ${outcome.refused.remedy}`} /> ({outcome.refused.code})
        </Text>
      )}
      {kept &&
        !isAnswered(outcome) &&
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change, and two equal calls must both be shown
        actions.map((action, index) => <Call key={index} action={action} label={`Input of call ${index + 1} of decision ${id}`} />)}
    </section>
  )
}

function OutcomeBadge({ outcome }: { readonly outcome: Outcome }): JSX.Element {
  if (isLost(outcome)) return <Badge color="orange">Unknown</Badge>
  if ('refused' in outcome) return <Badge color="red">Not answered</Badge>
  const { state, approvers, answers } = outcome.answered
  return <Badge color="teal">{state === 'open' ? `Recorded, ${approvers - answers.length} more must approve` : states[state]}</Badge>
}
