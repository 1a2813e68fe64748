import { caseStatuses, dispositions, type Json, risks, severities } from '../../domain/index.ts'
import { type Static, type TProperties, type TUnsafe, Type } from '../../schema/index.ts'
import { closed, condition, duration, limit, name, named, playbookNamePattern, templated, text, whole, words } from './shared.ts'

/** Marks a list of steps in the types of the schemas, because a type cannot refer to itself there. `WithSteps` replaces it by the list. */
interface Nested {
  readonly nested: typeof nested
}
declare const nested: unique symbol
type WithSteps<T> = { [K in keyof T]: Nested extends T[K] ? Exclude<T[K], Nested> | StepList : T[K] }
export type StepList = readonly StepDocument[]

const steps = (description: string): TUnsafe<Nested> => Type.Unsafe<Nested>({ $ref: '#/$defs/steps', description })

const id = name('Unique within the playbook. Templates read the output as steps.<id>.output.')
const guard = condition('The step is skipped if this is false.')
const onError = Type.Unsafe<'fail' | 'continue' | Nested>({
  anyOf: [{ enum: ['fail', 'continue'] }, { $ref: '#/$defs/steps' }],
  description: 'What happens if the step fails. fail (the default): the run fails. continue: the next step runs. A list of steps: they run.',
})

/** Returns the schema of a kind of step: its own keys, and the modifiers that every kind has. */
function kind<T extends TProperties>(own: T, description: string) {
  return closed({ id, ...own, if: Type.Optional(guard), on_error: Type.Optional(onError) }, description)
}

const retry = closed(
  {
    attempts: whole(1, 20, 'The number of tries, including the first.'),
    backoff: Type.Optional(words(['constant', 'exponential'], 'How the delay grows. If absent: exponential.')),
    delay: Type.Optional(duration('The delay before the second try, at most 1h. If absent: 1s.', '1h')),
    max_delay: Type.Optional(duration('The longest delay, at most 1h. If absent: 30s.', '1h')),
    on: Type.Optional(Type.Array(text('An error code.'), { minItems: 1, description: 'The error codes after which to try again.' })),
  },
  'Tries again, if the skill may be repeated.',
)
export type RetryDocument = Static<typeof retry>

const skill = kind(
  {
    skill: Type.String({
      pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$',
      'x-fault': 'must be <integration>.<skill>',
      description: 'The skill to call, as <integration>.<skill>.',
    }),
    with: Type.Optional(
      Type.Unsafe<Readonly<Record<string, Json>>>({
        type: 'object',
        description: "The skill's input. Values that are missing at run time are left out.",
      }),
    ),
    connection: Type.Optional(name('The slot to use, if the playbook has several slots for this integration.')),
    retry: Type.Optional(retry),
    timeout: Type.Optional(limit('The longest time of each try, at most 1h.', '1h')),
  },
  'Calls a skill of a connection.',
)

const set = kind({ set: named<Json>({}, 'Variables by name; later steps read them as vars.<name>.') }, 'Sets variables of the run.')

const branch = closed(
  {
    id,
    if: condition('Decides which steps run.'),
    then: steps('Steps to run if the condition is true.'),
    else: Type.Optional(steps('Steps to run if the condition is false.')),
    on_error: Type.Optional(onError),
  },
  'Runs one of two lists of steps.',
)

const foreach = kind(
  {
    foreach: Type.Unsafe<string | readonly Json[]>({ type: ['string', 'array'], description: 'The list: one {{ … }}, or the items themselves.' }),
    as: Type.Optional(name('The name of the item in templates. If absent: `item`.')),
    max_items: Type.Optional(whole(1, 10_000, 'The most items. More are an error. Required unless the playbook itself lists the items.')),
    concurrency: Type.Optional(whole(1, 100, 'How many items run at the same time. If absent: one after the other.')),
    steps: steps('Steps to run for each item.'),
  },
  'Runs steps once for each item of a list.',
)

const whenCase = closed(
  { when: condition('The condition of this case.'), steps: steps('Steps to run if this is the first case that is true.') },
  'A case.',
)
const defaultCase = closed(
  { default: Type.Literal(true, { description: 'Marks the default case.' }), steps: steps('Steps to run if no other case is true.') },
  'The default case. It must be last.',
)
type SwitchCaseDocument = WithSteps<Static<typeof whenCase>> | WithSteps<Static<typeof defaultCase>>

const choice = kind(
  {
    switch: Type.Unsafe<readonly SwitchCaseDocument[]>({
      type: 'array',
      minItems: 1,
      items: { type: 'object', if: { required: ['default'] }, then: defaultCase, else: whenCase },
      description: 'The cases in order. The first one that is true is used.',
    }),
  },
  'Runs the steps of the first case that is true.',
)

const parallel = kind(
  {
    parallel: closed(
      {
        join: Type.Optional(
          Type.Unsafe<'all' | 'any' | { readonly at_least: number }>({
            anyOf: [{ enum: ['all', 'any'] }, closed({ at_least: whole(1, 100, 'The number of branches.') }, 'At least this many branches.')],
            description: 'When the next step starts: after all branches have ended (the default), after any of them, or after at least this many.',
          }),
        ),
        rest: Type.Optional(
          words(
            ['finish', 'cancel'],
            'What happens to the other branches. finish (the default): they continue beside the next steps. cancel: they start no more steps.',
          ),
        ),
        branches: Type.Unsafe<Readonly<Record<string, StepList>>>({
          ...named({ $ref: '#/$defs/steps' }, 'The steps of each branch, by name.'),
          minProperties: 1,
        }),
      },
      'Branches that run at the same time.',
    ),
  },
  'Runs branches at the same time.',
)

const playbook = kind(
  {
    playbook: Type.String({
      pattern: playbookNamePattern,
      'x-fault': 'must be the name of a playbook: lower-case letters, digits, `-` and `_`',
      description: 'The sub-playbook to run: a playbook without `alert_type`.',
    }),
    with: Type.Optional(
      Type.Unsafe<Readonly<Record<string, Json>>>({
        type: 'object',
        description: 'Its inputs, by name. Values that are missing at run time are left out.',
      }),
    ),
  },
  'Runs a sub-playbook.',
)

const script = kind(
  {
    script: text('One module of TypeScript or JavaScript, without imports, that exports a function of `with`: `export default (args) => value`.'),
    with: Type.Optional(
      Type.Unsafe<Readonly<Record<string, Json>>>({ type: 'object', description: 'The arguments of the function, as one object.' }),
    ),
    output: Type.Optional(
      Type.Unsafe<Readonly<Record<string, Json>>>({
        type: 'object',
        description: 'JSON Schema (2020-12) of the return value. The step fails if the value does not fit.',
      }),
    ),
    timeout: Type.Optional(limit('The longest time that it may run, at most 1m. If absent: 5s.', '1m')),
  },
  'Computes a value with a function. The function sees only its arguments.',
)

const finding = closed(
  {
    title: text('One line.'),
    risk: words(risks, 'The risk of the finding.'),
    evidence: Type.Optional(templated('The evidence for the finding.')),
  },
  'A finding for the case.',
)

const note = kind(
  {
    case: Type.Object(
      {
        note: Type.Optional(text('A line for the timeline.')),
        finding: Type.Optional(finding),
        severity: Type.Optional(words(severities, "The case's severity from here on.")),
        disposition: Type.Optional(words(dispositions, "The case's disposition from here on.")),
        status: Type.Optional(words(caseStatuses, "The case's status from here on.")),
      },
      { additionalProperties: false, minProperties: 1, description: 'What to write into the case.' },
    ),
  },
  'Writes into the case.',
)

const stop = kind(
  {
    stop: closed(
      {
        outcome: words(['completed', 'failed'], 'The outcome of the run.'),
        reason: Type.Optional(text('Why.')),
      },
      'Ends the run here.',
    ),
  },
  'Ends the run.',
)

const polled = closed(
  {
    skill: skill.properties.skill,
    with: skill.properties.with,
    connection: skill.properties.connection,
  },
  'The read skill to call.',
)
const waitFor = closed({ for: duration('The length of the wait.') }, 'Waits for a length of time.')
const waitUntil = closed(
  {
    until: Type.Unsafe<Json>({ type: ['string', 'number'], description: 'The time: epoch milliseconds or ISO 8601, or one {{ … }} that gives one.' }),
  },
  'Waits until a point in time. A time in the past ends the wait at once.',
)
const waitPoll = closed(
  {
    poll: polled,
    every: duration('The time between an answer and the next call.'),
    until: condition('The wait ends when this is true. It reads the answer as `output`.'),
    at_most: duration('The longest wait. After it, the step fails with wait_timed_out.'),
  },
  'Calls a read skill repeatedly until its answer meets a condition.',
)

const wait = kind(
  {
    wait: Type.Unsafe<Static<typeof waitFor> | Static<typeof waitUntil> | Static<typeof waitPoll>>({
      type: 'object',
      description: 'What to wait for: `for`, `until`, or `poll` with `every`, `until` and `at_most`.',
      if: { required: ['poll'] },
      then: waitPoll,
      else: { if: { required: ['until'] }, then: waitUntil, else: waitFor },
    }),
  },
  'Waits. The run sleeps meanwhile and uses no resources.',
)

const approve = kind(
  {
    approve: closed(
      {
        title: text('The question, in one line.'),
        by: Type.Optional(
          Type.Array(text("A principal's name, a permission, or `approver`."), {
            minItems: 1,
            description: 'Who may answer. `approver` means everybody with the permission decisions:answer. If absent: approver.',
          }),
        ),
        approvers: Type.Optional(whole(1, 20, 'How many different people must approve. If absent: 1.')),
        expires: Type.Optional(limit('How long people have to answer. After that the step fails with approval_expired. If absent: no limit.')),
        covers: Type.Optional(
          Type.Unsafe<string | readonly string[]>({
            type: ['string', 'array'],
            items: { type: 'string' },
            minItems: 1,
            description:
              'The id of the step that needs this approval, or a list of ids. The steps run only if approved, and only with the approved input.',
          }),
        ),
      },
      'The question, and who may answer.',
    ),
  },
  'Asks people. The run sleeps until they have answered.',
)

export type SkillStepDocument = WithSteps<Static<typeof skill>>
export type SetStepDocument = WithSteps<Static<typeof set>>
export type IfStepDocument = WithSteps<Static<typeof branch>>
export type ForeachStepDocument = WithSteps<Static<typeof foreach>>
export type SwitchStepDocument = WithSteps<Static<typeof choice>>
export type ParallelStepDocument = WithSteps<Static<typeof parallel>>
export type PlaybookStepDocument = WithSteps<Static<typeof playbook>>
export type ScriptStepDocument = WithSteps<Static<typeof script>>
export type CaseStepDocument = WithSteps<Static<typeof note>>
export type StopStepDocument = WithSteps<Static<typeof stop>>
export type WaitStepDocument = WithSteps<Static<typeof wait>>
export type ApproveStepDocument = WithSteps<Static<typeof approve>>
export type StepDocument =
  | SkillStepDocument
  | SetStepDocument
  | IfStepDocument
  | SwitchStepDocument
  | ForeachStepDocument
  | ParallelStepDocument
  | WaitStepDocument
  | ApproveStepDocument
  | PlaybookStepDocument
  | ScriptStepDocument
  | CaseStepDocument
  | StopStepDocument

/** The kinds of steps, each with its key. If a step has several of these keys, the first one in this list counts. */
export const stepKinds = [
  { kind: 'skill', key: 'skill', schema: skill },
  { kind: 'set', key: 'set', schema: set },
  { kind: 'if', key: 'then', schema: branch },
  { kind: 'switch', key: 'switch', schema: choice },
  { kind: 'foreach', key: 'foreach', schema: foreach },
  { kind: 'parallel', key: 'parallel', schema: parallel },
  { kind: 'playbook', key: 'playbook', schema: playbook },
  { kind: 'script', key: 'script', schema: script },
  { kind: 'case', key: 'case', schema: note },
  { kind: 'stop', key: 'stop', schema: stop },
  { kind: 'wait', key: 'wait', schema: wait },
  { kind: 'approve', key: 'approve', schema: approve },
] as const

export type StepKind = (typeof stepKinds)[number]['kind']

export const kindList = `the kinds are ${stepKinds.map(({ key }) => (key === 'then' ? 'if with then' : key)).join(', ')}`
/** The message for a step without a kind. */
export const noKind = `this step has no kind; ${kindList}`

/**
 * The definition `#/$defs/step`. The key of a kind chooses the schema, and no other schema applies. So faults are about the kind that was meant,
 * and the cost of deep nesting grows only with its size.
 */
export const stepSchema: object = {
  type: 'object',
  // For editors: the keys of a step whose kind is not written yet.
  properties: Object.assign({}, ...stepKinds.map(({ schema }) => Object.fromEntries(Object.keys(schema.properties).map((key) => [key, true])))),
  ...stepKinds.reduceRight<object>((otherwise, { key, schema }) => ({ if: { required: [key] }, then: schema, else: otherwise }), {
    not: {},
    'x-fault': noKind,
  }),
}

/** The definition `#/$defs/steps`. */
export const stepsSchema: object = { type: 'array', minItems: 1, items: { $ref: '#/$defs/step' } }

/** The steps of the playbook itself. Their type is a `StepList`. */
export const documentSteps: TUnsafe<StepList> = Type.Unsafe<StepList>({
  $ref: '#/$defs/steps',
  description: 'The steps, in order.',
})
