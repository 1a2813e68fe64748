import { type Decision, decisionKinds, decisionStates } from '../../../domain/index.ts'
import { type RetracedStep, type ShownPart, stepStates, type Why } from '../../../retrace/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { nullable, oneOf, Time } from '../../schemas.ts'
import { ShownSchema, shownView } from '../shared/index.ts'

const PartSchema = Type.Object({
  depth: Type.Integer({ description: '0: the whole condition. The parts that decide it follow, one deeper.' }),
  rule: Type.String({ description: 'The rule for people: inputs.denied >= 5' }),
  looked: Type.Boolean({ description: 'False: it was not evaluated, because an earlier part had already decided.' }),
  holds: nullable(Type.Boolean({ description: 'Null: it was not evaluated, or `error` says why there is no result.' })),
  item: Type.Union([Type.Null(), Type.Object({ number: Type.Integer(), of: Type.Integer() })], {
    description: 'For a list: the item that decided, from 1, and how many there are.',
  }),
  items: nullable(Type.Integer({ description: 'For the list of a loop: how many items it has.' })),
  read: Type.Array(Type.Object({ path: Type.String(), value: Type.Union([Type.Null(), ShownSchema]) }), {
    description: 'The values that it read; `value` null: the value was missing.',
  }),
  error: nullable(
    Type.String({
      description: 'Why the part has no result, in words: it could not be evaluated, or takes too much work to show.',
    }),
  ),
})

const WhySchema = Type.Object({
  of: oneOf(
    ['if', 'test', 'case', 'until', 'items', 'time', 'join', 'left_out'],
    'if: whether the step is run; test: which branch of an `if`; case: whether a case of a `switch` is taken; until: whether a poll ends; items: how many times a loop runs; time: how long the step waits; left_out: why the step was not run.',
  ),
  index: nullable(Type.Integer({ description: 'For a case: its index, from 0.' })),
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
  request: nullable(Type.Integer({ description: 'For a skill that is code: the number of its request. Null: the skill has only one.' })),
  number: Type.Integer({ description: 'The tries of one request are numbered from 1.' }),
  at: Time,
  effect: Type.Unsafe<'not_sent' | 'refused' | 'done' | 'unknown' | null>({
    enum: ['not_sent', 'refused', 'done', 'unknown', null],
    description:
      'Its effect on the external system, as the journal recorded it. Null: the journal has no record, as for the try that ended the step.',
  }),
  code: nullable(Type.String()),
})

const ErrorSchema = Type.Object({
  code: Type.String(),
  message: Type.String(),
  remedy: nullable(Type.String()),
  step: nullable(Type.String({ description: 'The step that raised it. For a step that contains others, it may be one of those.' })),
  vendor: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
})

export const RunStepSchema = Type.Object(
  {
    address: Type.String({ description: 'The path of the step in the run, loop index included.' }),
    kind: oneOf(
      ['skill', 'set', 'if', 'switch', 'foreach', 'parallel', 'playbook', 'script', 'case', 'wait', 'approve', 'stop', 'poll', 'unknown'],
      'poll: one call of a `wait` that polls; unknown: the playbook can no longer be read.',
    ),
    playbook: nullable(Type.String({ description: "The sub-playbook that contains it; null: the run's own playbook." })),
    line: nullable(Type.Integer({ description: "Line in the playbook's text, from 1." })),
    state: oneOf(
      stepStates,
      'in_doubt: a write was sent, and nobody knows whether it happened; interrupted: the run ended before the step. Steps that were not reached are not listed.',
    ),
    skill: nullable(Type.String({ description: '<integration>.<skill>' })),
    connection: nullable(Type.String({ description: 'The instance.' })),
    target: nullable(Type.String({ description: 'For a write: what it acted on.' })),
    began_at: nullable(Time),
    ended_at: nullable(Time),
    iterations: nullable(Type.Integer({ description: 'For a loop, or a wait that polls: how many iterations have begun.' })),
    unlisted: Type.Integer({ description: 'In a grouped list: how many iterations are neither listed nor the same as a listed one.' }),
    alike: Type.Integer({
      description: 'In a grouped list, on the first step of an iteration: how many other iterations went the same way and are left out.',
    }),
    tries: Type.Integer({
      description:
        'How often the call was sent. For a skill that is code: how often its request that was sent most often. 0: the step is not a call, or the call was not sent.',
    }),
    attempts: Type.Array(AttemptSchema, { description: 'For a write: each try.' }),
    input: Type.Union([Type.Null(), ShownSchema], { description: 'Its input, as rendered.' }),
    output: Type.Union([Type.Null(), ShownSchema], { description: 'Its output.' }),
    error: Type.Union([Type.Null(), ErrorSchema]),
    handled: Type.Boolean({ description: 'Its `on_error` handled the error.' }),
    why: Type.Array(WhySchema, { description: 'What decided about it, with the values that were compared.' }),
    decisions: Type.Array(AskedSchema, { description: 'The decisions of this step, with their answers.' }),
    warnings: Type.Array(Type.String(), { description: "For a call: where its output does not fit the skill's schema." }),
    note: Type.Optional(nullable(Type.String({ description: 'For a single step: why something about it is unknown. Null: everything is known.' }))),
  },
  { $id: 'RunStep', description: 'A step of a run: its input, its output, and what decided about it.' },
)

function hrefOf(run: string, address: string, part: 'input' | 'output'): string {
  return `/platformapi/runs/${run}/step/value?${new URLSearchParams({ address, part })}`
}

/** Converts a value, which may be cut. @param href the path of the complete value; null: there is none */
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
