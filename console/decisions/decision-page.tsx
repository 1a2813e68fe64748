import { Anchor, Badge, Group, List, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { Link } from 'wouter'
import type { DecisionView, SignedInView } from '../../runtime/api/index.ts'
import { oneDecision, oneRun } from '../api/queries.ts'
import { CasePanel } from '../context/case-panel.tsx'
import { PausedNote } from '../context/paused-note.tsx'
import { RunPanel } from '../context/run-panel.tsx'
import { Copy } from '../shared/copy.tsx'
import { Foreign } from '../shared/foreign.tsx'
import { CaseLink, RunLink } from '../shared/links.tsx'
import { useBackToList } from '../shared/list/index.ts'
import { beginOf, WholeTitle } from '../shared/long-title.tsx'
import { MergedNote } from '../shared/merged-note.tsx'
import { Page } from '../shared/page.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { useNow } from '../shared/time/now.ts'
import { Time } from '../shared/time/time.tsx'
import { useShortcut } from '../shell/shortcuts.tsx'
import { AnswerForm } from './answer-form.tsx'
import { AnswerOutcome } from './answer-outcome.tsx'
import { Call } from './call.tsx'
import { DeadEndNote } from './dead-end.tsx'
import { Deadline } from './deadline.tsx'
import { Evidence } from './evidence.tsx'
import { type Answering, useAnswer } from './use-answer.ts'
import { kinds, onlyDecline, states, verdictWords, whoMayAnswer } from './words.ts'

/** The page of one decision: the evidence, the exact calls with their impact, the answer, and then the run and the case. */
export function DecisionPage({ id, who }: { readonly id: string; readonly who: SignedInView }): JSX.Element {
  const { data, error, isPending } = useQuery(oneDecision(id))
  useShortcut('u', 'Back to the list', useBackToList('/decisions'))
  const kind = data && kinds[data.kind]
  return (
    <Page
      title={data ? data.title : 'Decision'}
      {...(data && {
        heading: (
          <>
            <Badge color={kind?.colour ?? 'gray'} size="lg">
              {kind?.name}
            </Badge>{' '}
            <Foreign value={beginOf(data.title)} />
          </>
        ),
      })}
      actions={
        <Anchor component={Link} href="/decisions" size="sm">
          All open decisions
        </Anchor>
      }
    >
      {isPending && <Loading />}
      {error && <ProblemNote error={error} />}
      {data && <WholeTitle title={data.title} />}
      {data && <Shown decision={data} who={who} />}
    </Page>
  )
}

function Shown({ decision, who }: { readonly decision: DecisionView; readonly who: SignedInView }): JSX.Element {
  const { kind, state, actions, answers, run, case_id } = decision
  const answering = useAnswer(decision)
  return (
    <>
      {state === 'open' ? <Text>{kinds[kind].asks}</Text> : <Text fw={600}>{states[state]}</Text>}
      <Facts decision={decision} />
      <div className="decision">
        <div className="decision-evidence">
          <Evidence caseId={case_id} />
        </div>
        <div className="decision-answer">
          <section aria-label="What it is about">
            <Title order={2}>{actions.length === 1 ? 'The call' : `The ${actions.length} calls`}</Title>
            {actions.map((action, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they never change, and two equal calls must both be shown
              <Call key={index} action={action} label={`Input of call ${index + 1}`} />
            ))}
          </section>
          {answers.length > 0 && <Answers answers={answers} />}
          {state === 'open' && <MayAnswer decision={decision} who={who} answering={answering} />}
          <AnswerOutcome answering={answering} answered={answers.some(({ principal_uuid }) => principal_uuid === who.principal_uuid)} />
        </div>
        <div className="decision-context">
          <RunPanel id={run} who={who} />
          <CasePanel id={case_id} who={who} />
        </div>
      </div>
    </>
  )
}

function Facts({ decision }: { readonly decision: DecisionView }): JSX.Element {
  const { id, organization_code, case_id, case_merged_into, run, playbook, playbook_digest, step, asked_at, state, quota } = decision
  return (
    <dl className="facts">
      <dt>{state === 'open' ? 'Deadline' : 'Closed'}</dt>
      <dd>
        <Deadline decision={decision} />
      </dd>
      <dt>Asked</dt>
      <dd>
        <Time at={asked_at} /> <Copy value={id} what="the decision id" />
      </dd>
      <dt>For</dt>
      <dd>
        <Foreign value={whoMayAnswer(decision)} />
      </dd>
      <dt>Case</dt>
      <dd>
        <CaseLink id={case_id} /> of <Foreign value={organization_code} /> <MergedNote into={case_merged_into} />
      </dd>
      <dt>Run</dt>
      <dd>
        <RunLink id={run} copy />
      </dd>
      <dt>Playbook</dt>
      <dd title={playbook_digest}>
        <Foreign value={playbook} />, step <Foreign value={step} />
      </dd>
      {quota && quota.waiting > 0 && (
        <>
          <dt>Quota</dt>
          <dd>
            of <Foreign value={quota.skill} />: {quota.waiting} {quota.waiting === 1 ? 'decision waits' : 'decisions wait'} for it
          </dd>
        </>
      )}
    </dl>
  )
}

function Answers({ answers }: { readonly answers: DecisionView['answers'] }): JSX.Element {
  return (
    <section aria-label="Answers">
      <Title order={2}>Answers</Title>
      <List size="sm" my={6}>
        {answers.map(({ principal_uuid, by, verdict, reason, at }) => (
          <List.Item key={principal_uuid}>
            <strong>
              <Foreign value={by} />
            </strong>
            : {verdictWords[verdict].name}, <Time at={at} />
            {reason !== null && (
              <>
                {' '}
                – <Foreign value={reason} />
              </>
            )}
          </List.Item>
        ))}
      </List>
    </section>
  )
}

interface AnswerProps {
  readonly decision: DecisionView
  readonly who: SignedInView
  readonly answering: Answering
}

function MayAnswer({ decision, who, answering }: AnswerProps): JSX.Element {
  const { answers, approvers, may_answer, cannot_approve, expires_at } = decision
  const now = useNow()
  if (answers.some(({ principal_uuid }) => principal_uuid === who.principal_uuid))
    return (
      <Group my="sm">
        <Text c="dimmed">You have answered. {approvers - answers.length} more must approve.</Text>
      </Group>
    )
  if (!who.scopes.includes('decisions:answer'))
    return (
      <Text c="dimmed" my="sm">
        Your key can only read decisions. To answer, it needs the permission <code>decisions:answer</code>.
      </Text>
    )
  if (!may_answer)
    return (
      <Text c="dimmed" my="sm">
        {expires_at !== null && expires_at <= now ? (
          'The time to answer is over.'
        ) : (
          <>
            This decision is not yours to answer. It is for <Foreign value={whoMayAnswer(decision)} />.
          </>
        )}
      </Text>
    )
  return (
    <>
      <Paused run={decision.run} who={who} />
      {cannot_approve !== null && <Text my="sm">{onlyDecline[cannot_approve]}</Text>}
      <DeadEndNote decisions={[decision]} />
      <AnswerForm decision={decision} answering={answering} />
    </>
  )
}

/** Says that a pause holds the run: what somebody approves is not sent yet. */
function Paused({ run, who }: { readonly run: string; readonly who: SignedInView }): JSX.Element | null {
  const { data } = useQuery({ ...oneRun(run), enabled: who.scopes.includes('runs:read') })
  if (data === undefined || data.pauses.length === 0) return null
  return <PausedNote pauses={data.pauses} title="A pause holds the run: a call that you approve is sent only after somebody resumes it." />
}
