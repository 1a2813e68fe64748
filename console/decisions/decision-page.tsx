import { useQuery } from '@tanstack/react-query'
import { type JSX, useEffect } from 'react'
import type { DecisionView, SignedInView } from '../../runtime/api/index.ts'
import { oneDecision } from '../api/queries.ts'
import { CasePanel } from '../context/case-panel.tsx'
import { RunPanel } from '../context/run-panel.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { seen } from '../shared/seen.ts'
import { Json, Text } from '../shared/text.tsx'
import { Time } from '../shared/time.tsx'
import { AnswerForm } from './answer-form.tsx'
import { AnswerOutcome } from './answer-outcome.tsx'
import { type Answering, useAnswer } from './use-answer.ts'
import { kinds, states, verdictWords, whoMayAnswer } from './words.ts'

/** The page of one decision: the question, the exact calls, the answer form, the run and the case. */
export function DecisionPage({ id, who }: { readonly id: string; readonly who: SignedInView }): JSX.Element {
  const { data, error, isPending } = useQuery(oneDecision(id))
  useEffect(() => {
    document.title = data ? `${seen(data.title)} · Tocsin` : 'Decision · Tocsin'
  }, [data])
  return (
    <>
      {isPending && <p className="quiet">Loading …</p>}
      {error && <ProblemNote error={error} />}
      {data && <Shown decision={data} who={who} />}
    </>
  )
}

function Shown({ decision, who }: { readonly decision: DecisionView; readonly who: SignedInView }): JSX.Element {
  const { title, kind, state, actions, answers, run, case_id } = decision
  const answering = useAnswer(decision)
  return (
    <>
      <h1>
        <span className={`kind ${kind}`}>{kinds[kind].name}</span> <Text value={title} />
      </h1>
      {state === 'open' ? <p>{kinds[kind].asks}</p> : <p className="closed">{states[state]}</p>}
      <Facts decision={decision} />
      <section aria-label="What it is about">
        {actions.map((action, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change, and two equal calls must both be shown
          <Action key={index} action={action} />
        ))}
      </section>
      {answers.length > 0 && <Answers answers={answers} />}
      {state === 'open' && <MayAnswer decision={decision} who={who} answering={answering} />}
      <AnswerOutcome answering={answering} />
      <RunPanel id={run} who={who} />
      <CasePanel id={case_id} who={who} />
    </>
  )
}

function Facts({ decision }: { readonly decision: DecisionView }): JSX.Element {
  const { organization_code, case_id, playbook, playbook_digest, step, asked_at, expires_at, closed_at, quota } = decision
  return (
    <dl>
      <dt>Organization</dt>
      <dd>
        <Text value={organization_code} />, case <Text value={case_id} />
      </dd>
      <dt>Playbook</dt>
      <dd title={playbook_digest}>
        <Text value={playbook} />, step <Text value={step} />
      </dd>
      <dt>Asked</dt>
      <dd>
        <Time at={asked_at} />
        {closed_at !== null && (
          <>
            , closed <Time at={closed_at} />
          </>
        )}
        {closed_at === null && expires_at !== null && (
          <>
            , expires <Time at={expires_at} />
          </>
        )}
      </dd>
      <dt>For</dt>
      <dd>
        <Text value={whoMayAnswer(decision)} />
      </dd>
      {quota && quota.waiting > 0 && (
        <>
          <dt>Quota</dt>
          <dd>
            of <Text value={quota.skill} />: {quota.waiting} {quota.waiting === 1 ? 'decision waits' : 'decisions wait'} for it
          </dd>
        </>
      )}
    </dl>
  )
}

const cut = 'with an input that is too large to show. It begins with'

/** Returns whether the input is complete. Inputs are objects; for one that is too large, the API sends its beginning as text. */
function isWhole(input: unknown): boolean {
  return typeof input !== 'string'
}

function Action({
  action: { skill, target, connection, connection_revision, input },
}: {
  readonly action: DecisionView['actions'][number]
}): JSX.Element {
  return (
    <article className="action">
      <h2>
        <Text value={skill} />
        {target !== null && (
          <>
            {' '}
            on{' '}
            <strong>
              <Text value={target} />
            </strong>
          </>
        )}
      </h2>
      <p>
        via the connection <Text value={connection} /> (revision {connection_revision}), {isWhole(input) ? 'with exactly this input' : cut}:
      </p>
      <Json value={input} />
    </article>
  )
}

function Answers({ answers }: { readonly answers: DecisionView['answers'] }): JSX.Element {
  return (
    <section aria-label="Answers">
      <h2>Answers</h2>
      <ul>
        {answers.map(({ principal_uuid, by, verdict, reason, at }) => (
          <li key={principal_uuid}>
            <strong>
              <Text value={by} />
            </strong>
            : {verdictWords[verdict].name}, <Time at={at} />
            {reason !== null && (
              <>
                {' '}
                – <Text value={reason} />
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface AnswerProps {
  readonly decision: DecisionView
  readonly who: SignedInView
  readonly answering: Answering
}

function MayAnswer({ decision, who, answering }: AnswerProps): JSX.Element {
  if (decision.answers.some(({ principal_uuid }) => principal_uuid === who.principal_uuid))
    return <p className="quiet">You have answered. {decision.approvers - decision.answers.length} more must approve.</p>
  if (!who.scopes.includes('decisions:answer'))
    return (
      <p className="quiet">
        Your key can only read decisions. To answer, it needs the scope <code>decisions:answer</code>.
      </p>
    )
  return <AnswerForm decision={decision} answering={answering} />
}
