import Type, { type Static } from 'typebox'
import { type Decision, decisionKinds, decisionStates, type Json } from '../../domain/index.ts'
import { type RetracedStep, type Shown, type ShownPart, stepStates, type Why } from '../../retrace/index.ts'
import { nullable, oneOf, Time } from '../schemas.ts'

const anything = Type.Unsafe<Json>({})

export const ShownSchema = Type.Object(
  {
    value: Type.Optional(anything),
    beginning: Type.Optional(Type.String({ description: 'The first characters of its JSON, where it is too long to be here.' })),
    href: Type.Optional(Type.String({ description: 'Where all of it is, of one that is cut.' })),
  },
  { description: 'A value: whole as `value`, or cut, as `beginning` and `href`.' },
)

const PartSchema = Type.Object({
  depth: Type.Integer({ description: '0: the whole condition. What decides it follows, one deeper.' }),
  rule: Type.String({ description: 'As a person reads it: inputs.denied >= 5' }),
  looked: Type.Boolean({ description: 'False: it was not evaluated, because a part before it had already decided.' }),
  holds: nullable(Type.Boolean({ description: 'Null: it was not looked at, or `error` says why there is no answer.' })),
  item: Type.Union([Type.Null(), Type.Object({ number: Type.Integer(), of: Type.Integer() })], {
    description: 'Of a list: the item that decided, from 1, and how many there are.',
  }),
  items: nullable(Type.Integer({ description: 'Of a list that a loop goes through: how many items it has.' })),
  read: Type.Array(Type.Object({ path: Type.String(), value: Type.Union([Type.Null(), ShownSchema]) }), {
    description: 'What it read; `value` null: it was not there.',
  }),
  error: nullable(
    Type.String({
      description: 'Why it has no answer, as words that follow the rule: it could not be evaluated, or takes too much work to be shown.',
    }),
  ),
})

const WhySchema = Type.Object({
  of: oneOf(
    ['if', 'test', 'case', 'until', 'items', 'time', 'join', 'left_out'],
    'if: whether the step is run; test: which branch of an `if`; case: whether a case of a `switch` is taken; until: whether a poll ends; items: how often a loop runs; time: how long it waits; left_out: why it was not run.',
  ),
  index: nullable(Type.Integer({ description: 'Of a case: which, from 0.' })),
  holds: nullable(Type.Boolean()),
  parts: Type.Array(PartSchema),
  text: nullable(Type.String()),
})

const AskedSchema = Type.Object({
  id: Type.String(),
  kind: oneOf(decisionKinds),
  state: oneOf(decisionStates),
  title: Type.String(),
  asked_at: Time,
  closed_at: nullable(Time),
  answers: Type.Array(Type.Object({ by: Type.String(), verdict: Type.String(), reason: nullable(Type.String()), at: Time })),
})

const AttemptSchema = Type.Object({
  number: Type.Integer({ description: 'From 1.' }),
  at: Time,
  effect: Type.Unsafe<'not_sent' | 'refused' | 'done' | 'unknown' | null>({
    enum: ['not_sent', 'refused', 'done', 'unknown', null],
    description: 'What it did outside, where it was not the one that ended the step.',
  }),
  code: nullable(Type.String()),
})

const ErrorSchema = Type.Object({
  code: Type.String(),
  message: Type.String(),
  remedy: nullable(Type.String()),
  step: nullable(Type.String({ description: 'Where it was raised: of a step that holds others, one of those.' })),
  vendor: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
})

export const RunStepSchema = Type.Object(
  {
    address: Type.String({ description: 'The path of the step in the run, loop index included.' }),
    kind: oneOf(
      ['skill', 'set', 'if', 'switch', 'foreach', 'parallel', 'playbook', 'script', 'case', 'wait', 'approve', 'stop', 'poll', 'unknown'],
      'poll: one call of a `wait` that polls; unknown: the playbook can be read no more.',
    ),
    playbook: nullable(Type.String({ description: "The sub-playbook that it is part of; null: the run's own." })),
    line: nullable(Type.Integer({ description: "In its playbook's text, from 1." })),
    state: oneOf(
      stepStates,
      'in_doubt: a write was sent, and its outcome is not known; interrupted: the run ended before the step did. Steps that were not reached are not there.',
    ),
    skill: nullable(Type.String({ description: '<integration>.<skill>' })),
    connection: nullable(Type.String({ description: 'The instance.' })),
    target: nullable(Type.String({ description: 'Of a write: what it acted on.' })),
    began_at: nullable(Time),
    ended_at: nullable(Time),
    iterations: nullable(Type.Integer({ description: 'Of a loop, or a wait that polls: how many iterations have begun.' })),
    unlisted: Type.Integer({ description: 'Of those, in a grouped list: how many are neither listed nor like one that is.' }),
    alike: Type.Integer({
      description: 'In a grouped list, of the first step of an iteration: how many other iterations went the same way, and are left out.',
    }),
    tries: Type.Integer({ description: 'How often it was sent; 0: it is no call, or was not sent.' }),
    attempts: Type.Array(AttemptSchema, { description: 'Of a write: each try.' }),
    input: Type.Union([Type.Null(), ShownSchema], { description: 'Its input, as rendered.' }),
    output: Type.Union([Type.Null(), ShownSchema], { description: 'Its output.' }),
    error: Type.Union([Type.Null(), ErrorSchema]),
    handled: Type.Boolean({ description: 'Its `on_error` handled the error.' }),
    why: Type.Array(WhySchema, { description: 'What decided about it, with the values that were compared.' }),
    decisions: Type.Array(AskedSchema, { description: 'What people were asked here, and what they answered.' }),
    warnings: Type.Array(Type.String(), { description: "Of a call: what of its output is not as the skill's schema says." }),
    note: Type.Optional(nullable(Type.String({ description: 'Of one step: why not everything is known of it; null: it is.' }))),
  },
  { $id: 'RunStep', description: 'A step of a run: its input, its output, and what decided about it.' },
)

function hrefOf(run: string, address: string, part: 'input' | 'output'): string {
  return `/platformapi/runs/${run}/step/value?${new URLSearchParams({ address, part })}`
}

/** @param href of what is cut; null: nowhere */
export function shownView(shown: Shown, href: string | null): Static<typeof ShownSchema> {
  return shown.kind === 'whole' ? { value: shown.value } : { beginning: shown.beginning, ...(href !== null && { href }) }
}

function partView({ depth, rule, looked, holds, item, items, read, error }: ShownPart): Static<typeof PartSchema> {
  return { depth, rule, looked, holds, item, items, read: read.map(({ path, value }) => ({ path, value: value && shownView(value, null) })), error }
}

function whyView({ of, index, holds, parts, text }: Why): Static<typeof WhySchema> {
  return { of, index, holds, parts: parts.map(partView), text }
}

function askedView({ id, kind, state, title, askedAt, closedAt, answers }: Decision): Static<typeof AskedSchema> {
  const given = answers.map(({ by, verdict, reason, at }) => ({ by, verdict, reason, at }))
  return { id, kind, state, title, asked_at: askedAt, closed_at: closedAt, answers: given }
}

export function runStepView(run: string, step: RetracedStep): Static<typeof RunStepSchema> {
  const { address, kind, playbook, line, state, skill, connection, target, began, ended, tries, attempts, input, output, failure, handled } = step
  return {
    ...{ address, kind, playbook, line, state, skill, connection, target },
    began_at: began,
    ended_at: ended,
    ...{ iterations: step.iterations, unlisted: step.unlisted, alike: step.alike },
    tries,
    attempts: attempts.map((attempt) => ({ ...attempt })),
    input: input && shownView(input, hrefOf(run, address, 'input')),
    output: output && shownView(output, hrefOf(run, address, 'output')),
    error: failure && {
      code: failure.code,
      message: failure.message,
      remedy: failure.remedy,
      step: failure.step,
      ...(failure.vendor && { vendor: { ...failure.vendor } }),
    },
    handled,
    why: step.why.map(whyView),
    decisions: step.decisions.map(askedView),
    warnings: [...step.warnings],
  }
}
