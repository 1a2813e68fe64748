import Type, { type TProperties, type TUnsafe } from 'typebox'
import { caseStatuses, dispositions, type Json, risks, severities } from '../../domain/index.ts'
import { closed, condition, duration, name, named, playbookNamePattern, templated, text, whole, words } from './shared.ts'

/** Marks a list of steps in the types of the schemas, because a type cannot refer to itself there. `WithSteps` replaces it by the list. */
interface Nested {
  readonly nested: typeof nested
}
declare const nested: unique symbol
type WithSteps<T> = { [K in keyof T]: Nested extends T[K] ? Exclude<T[K], Nested> | StepList : T[K] }
export type StepList = readonly StepDocument[]

const steps = (description: string): TUnsafe<Nested> => Type.Unsafe<Nested>({ $ref: '#/$defs/steps', description })

const id = name('Unique within the playbook; templates name the output as steps.<id>.output.')
const guard = condition('The step is skipped when this does not hold.')
const onError = Type.Unsafe<'fail' | 'continue' | Nested>({
  anyOf: [{ enum: ['fail', 'continue'] }, { $ref: '#/$defs/steps' }],
  description: 'What a failure of the step does: `fail` ends the run (the default), `continue` goes on, a list of steps runs instead.',
})

/** A kind of step: its own keys, and the modifiers that every kind has. */
function kind<T extends TProperties>(own: T, description: string) {
  return closed({ id, ...own, if: Type.Optional(guard), on_error: Type.Optional(onError) }, description)
}

const retry = closed(
  {
    attempts: whole(1, 20, 'Tries in all, the first included.'),
    backoff: Type.Optional(words(['constant', 'exponential'], 'How the delay grows; `exponential` if absent.')),
    delay: Type.Optional(duration('Before the second try; 1s if absent, 1h at most.', '1h')),
    max_delay: Type.Optional(duration('The delay never grows beyond this; 30s if absent, 1h at most.', '1h')),
    on: Type.Optional(Type.Array(text('An error code.'), { minItems: 1, description: 'Error codes that are worth another try.' })),
  },
  'Tries again where the skill may be repeated.',
)
export type RetryDocument = Type.Static<typeof retry>

const skill = kind(
  {
    skill: Type.String({
      pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$',
      'x-fault': 'must be <integration>.<skill>',
      description: 'The skill to call, as <integration>.<skill>.',
    }),
    with: Type.Optional(
      Type.Unsafe<Readonly<Record<string, Json>>>({ type: 'object', description: "The skill's input; what is missing is left out." }),
    ),
    connection: Type.Optional(name('The slot to use, where the playbook has several of this integration.')),
    retry: Type.Optional(retry),
    timeout: Type.Optional(duration('For each try; 1h at most.', '1h')),
  },
  'Calls a skill of a connection.',
)

const set = kind({ set: named<Json>({}, 'Variables by name; later steps read them as vars.<name>.') }, 'Sets variables of the run.')

const branch = closed(
  {
    id,
    if: condition('Decides which steps run.'),
    then: steps('Run when it holds.'),
    else: Type.Optional(steps('Run when it does not hold.')),
    on_error: Type.Optional(onError),
  },
  'Runs one list of steps or the other.',
)

const foreach = kind(
  {
    foreach: Type.Unsafe<string | readonly Json[]>({ type: ['string', 'array'], description: 'The list: one {{ … }}, or the items themselves.' }),
    as: Type.Optional(name('What templates call the item; `item` if absent.')),
    max_items: Type.Optional(whole(1, 10_000, 'More items than this is an error. Needed unless the items are written out.')),
    concurrency: Type.Optional(whole(1, 100, 'Items in work at once; one after the other if absent.')),
    steps: steps('Run once an item.'),
  },
  'Runs steps once for each item of a list.',
)

const whenCase = closed({ when: condition('Whether this case is taken.'), steps: steps('Run when it is the first that holds.') }, 'A case.')
const defaultCase = closed(
  { default: Type.Literal(true, { description: 'Taken when no case before it is.' }), steps: steps('Run when no case before it holds.') },
  'The case of everything else; last.',
)
type SwitchCaseDocument = WithSteps<Type.Static<typeof whenCase>> | WithSteps<Type.Static<typeof defaultCase>>

const choice = kind(
  {
    switch: Type.Unsafe<readonly SwitchCaseDocument[]>({
      type: 'array',
      minItems: 1,
      items: { type: 'object', if: { required: ['default'] }, then: defaultCase, else: whenCase },
      description: 'The cases, in their order; the first that holds is taken.',
    }),
  },
  'Runs the steps of the first case that holds.',
)

const parallel = kind(
  {
    parallel: closed(
      {
        join: Type.Optional(
          Type.Unsafe<'all' | 'any' | { readonly at_least: number }>({
            anyOf: [{ enum: ['all', 'any'] }, closed({ at_least: whole(1, 100, 'So many branches.') }, 'So many branches.')],
            description: 'When the steps after it begin: when all branches are done (if absent), any of them, or at least so many.',
          }),
        ),
        rest: Type.Optional(
          words(
            ['finish', 'cancel'],
            'What becomes of the branches that were not waited for: they go on beside what follows (if absent), or begin no further step.',
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
      Type.Unsafe<Readonly<Record<string, Json>>>({ type: 'object', description: 'Its inputs by name; what is missing is left out.' }),
    ),
  },
  'Runs a sub-playbook.',
)

const script = kind(
  {
    script: text('One module of TypeScript or JavaScript, without imports, that exports a function of `with`: `export default (args) => value`.'),
    with: Type.Optional(Type.Unsafe<Readonly<Record<string, Json>>>({ type: 'object', description: 'Its arguments, as one object.' })),
    output: Type.Optional(
      Type.Unsafe<Readonly<Record<string, Json>>>({
        type: 'object',
        description: 'JSON Schema (2020-12) of what it returns; the step fails where that does not fit.',
      }),
    ),
    timeout: Type.Optional(duration('How long it may take from when it begins; 5s if absent, 1m at most.', '1m')),
  },
  'Computes a value: a function of its arguments, with nothing else within its reach.',
)

const finding = closed(
  {
    title: text('One line.'),
    risk: words(risks, 'How bad it is.'),
    evidence: Type.Optional(templated('What shows it.')),
  },
  'Something found out.',
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
        outcome: words(['completed', 'failed'], 'How the run ends.'),
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
  'The read skill that is asked.',
)
const waitFor = closed({ for: duration('How long.') }, 'A span of time.')
const waitUntil = closed(
  {
    until: Type.Unsafe<Json>({ type: ['string', 'number'], description: 'The time: epoch milliseconds or ISO 8601, or one {{ … }} that gives one.' }),
  },
  'A point in time; one that is past is not waited for.',
)
const waitPoll = closed(
  {
    poll: polled,
    every: duration('From one answer to the next call.'),
    until: condition('Ends the waiting; reads the answer as `output`.'),
    at_most: duration('When it has not come to that by then, the step fails with wait_timed_out.'),
  },
  'Asks a read skill again and again until its answer fits.',
)

const wait = kind(
  {
    wait: Type.Unsafe<Type.Static<typeof waitFor> | Type.Static<typeof waitUntil> | Type.Static<typeof waitPoll>>({
      type: 'object',
      description: 'What is waited for: `for`, `until`, or `poll` with `every`, `until` and `at_most`.',
      if: { required: ['poll'] },
      then: waitPoll,
      else: { if: { required: ['until'] }, then: waitUntil, else: waitFor },
    }),
  },
  'Waits; the run sleeps meanwhile, and costs nothing.',
)

const approve = kind(
  {
    approve: closed(
      {
        title: text('The question, in one line.'),
        by: Type.Optional(
          Type.Array(text("A principal's name, a permission, or `approver`."), {
            minItems: 1,
            description: 'Who may answer: `approver` is everybody with the permission decisions:answer, as are all if absent.',
          }),
        ),
        approvers: Type.Optional(whole(1, 20, 'So many different principals must approve; 1 if absent.')),
        expires: Type.Optional(duration('Without an answer by then the step fails with approval_expired; it stays open if absent.')),
        covers: Type.Optional(
          Type.Unsafe<string | readonly string[]>({
            type: ['string', 'array'],
            items: { type: 'string' },
            minItems: 1,
            description:
              'The id of the step that needs this approval, or a list of ids: they run only with it, and with the input that was approved.',
          }),
        ),
      },
      'What is asked, and of whom.',
    ),
  },
  'Asks people; the run sleeps until they have answered.',
)

export type SkillStepDocument = WithSteps<Type.Static<typeof skill>>
export type SetStepDocument = WithSteps<Type.Static<typeof set>>
export type IfStepDocument = WithSteps<Type.Static<typeof branch>>
export type ForeachStepDocument = WithSteps<Type.Static<typeof foreach>>
export type SwitchStepDocument = WithSteps<Type.Static<typeof choice>>
export type ParallelStepDocument = WithSteps<Type.Static<typeof parallel>>
export type PlaybookStepDocument = WithSteps<Type.Static<typeof playbook>>
export type ScriptStepDocument = WithSteps<Type.Static<typeof script>>
export type CaseStepDocument = WithSteps<Type.Static<typeof note>>
export type StopStepDocument = WithSteps<Type.Static<typeof stop>>
export type WaitStepDocument = WithSteps<Type.Static<typeof wait>>
export type ApproveStepDocument = WithSteps<Type.Static<typeof approve>>
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
export const noKind = `this is no kind of step; ${kindList}`

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
  description: 'What is done, one step after the other.',
})
