import { caseStatuses, dispositions, type Json, risks, severities } from '../../domain/index.ts'
import { durationPattern } from '../../formats/index.ts'
import { type Static, type TProperties, type TUnsafe, Type } from '../../schema/index.ts'
import { type Check, compileCheck } from '../../yaml/index.ts'

function closed<T extends TProperties>(properties: T, description: string) {
  return Type.Object(properties, { additionalProperties: false, description })
}

function words<const T extends readonly string[]>(values: T, description: string): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description })
}

/** One value, or a list. */
function oneOrMore<T>(one: object, description: string): TUnsafe<T | readonly T[]> {
  return Type.Unsafe<T | readonly T[]>({ anyOf: [one, { type: 'array', minItems: 1, items: one }], description })
}

function object<T>(values: object, description: string): TUnsafe<Readonly<Record<string, T>>> {
  return Type.Unsafe<Readonly<Record<string, T>>>({ type: 'object', additionalProperties: values, description })
}

const text = (description: string) => Type.String({ minLength: 1, description })
const whole = (least: number, description: string) => Type.Integer({ minimum: least, description })
const anything = (description: string) => Type.Unsafe<Json>({ description })
const skillPattern = '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$'
const skill = (description: string) => Type.String({ pattern: skillPattern, 'x-fault': 'must be <integration>.<skill>', description })

/** Makes the schema for an expected text: the whole text, or `contains` with a part of it. */
const told = (description: string) =>
  Type.Unsafe<string | { readonly contains: string }>({
    anyOf: [{ type: 'string' }, closed({ contains: text('A part of the text.') }, 'Only a part of the text must match.')],
    description,
  })
export type Told = string | { readonly contains: string }

const alert = closed(
  {
    content: Type.Unsafe<string | { readonly [key: string]: Json }>({
      type: ['string', 'object', 'array'],
      description: 'What the source posted: a text, or JSON written as YAML.',
    }),
    alert_type: Type.Optional(text("The alert's type. If absent: the playbook's first alert type.")),
    alert_name: Type.Optional(text("The alert's name.")),
    alert_provider: Type.Optional(text("The alert's provider.")),
    alert_id: Type.Optional(text("The alert's id.")),
    alert_uuid: Type.Optional(text("The alert's UUID.")),
    organization_code: Type.Optional(text('The code of the organization that owns the alert.')),
    created_at: Type.Optional(whole(0, 'When the alert was posted, in epoch milliseconds. If absent: when the run begins.')),
    created_at_source: Type.Optional(whole(0, 'When the source created the alert, in epoch milliseconds.')),
  },
  'The alert to investigate.',
)

const when = closed(
  {
    with: Type.Optional(object<Json>({}, 'Members that the input must have. Other members do not matter.')),
    step: Type.Optional(text("The step's id or address.")),
    connection: Type.Optional(text('The slot.')),
  },
  'Which calls get this answer. If absent: all.',
)

const answer = closed(
  {
    output: Type.Optional(
      anything('What the skill returns. Missing members that its output schema requires are generated. An empty object is generated completely.'),
    ),
    generate: Type.Optional(
      Type.Unsafe<true | 'required'>({
        enum: [true, 'required'],
        description:
          "An output made from the skill's output schema. true: with all members that the schema declares. required: with the required ones.",
      }),
    ),
    recorded: Type.Optional(text("The name of a fixture of the skill's plugin. The answer is its output.")),
    error: Type.Optional(text('The call fails with this error code of Tocsin or of the integration.')),
    lost: Type.Optional(
      words(['before', 'after'], 'The request of a write is lost. before: it never leaves. after: it leaves, and no answer comes back.'),
    ),
    message: Type.Optional(text('With `error`: the message of the failure.')),
    effect: Type.Optional(
      words(['not_sent', 'refused', 'done', 'unknown'], 'With `error`: what the call did outside. If absent: what the error code implies.'),
    ),
    verify: Type.Optional(
      Type.Unsafe<AnswerDocument>({
        $ref: '#/$defs/answer',
        description: "With `lost: after` or `effect: unknown`: the answer to the skill's probe. If absent: the probe fails.",
      }),
    ),
    after: Type.Optional(
      Type.String({
        pattern: durationPattern,
        'x-fault': 'must be a duration, such as 200ms, 30s, 10m',
        description: 'How long the call takes. It decides which branch of a `parallel` ends first. If absent: no time.',
      }),
    ),
    strict: Type.Optional(Type.Boolean({ description: "false: the output may differ from the skill's output schema." })),
    when: Type.Optional(when),
  },
  'The answer to a call. Needs exactly one of output, generate, recorded, error, lost.',
)
export type AnswerDocument = {
  readonly output?: Json
  readonly generate?: true | 'required'
  readonly recorded?: string
  readonly error?: string
  readonly lost?: 'before' | 'after'
  readonly message?: string
  readonly effect?: 'not_sent' | 'refused' | 'done' | 'unknown'
  readonly verify?: AnswerDocument
  readonly after?: string
  readonly strict?: boolean
  readonly when?: Static<typeof when>
}

const decision = closed(
  {
    approve: Type.Optional(Type.Boolean({ description: 'For an approval. true: approve. false: decline.' })),
    doubt: Type.Optional(
      words(['happened', 'repeat', 'give_up'], 'For a write in doubt. happened: the write happened. repeat: send it again. give_up: the step fails.'),
    ),
    output: Type.Optional(anything('With `doubt: happened`: the output of the write.')),
    expire: Type.Optional(Type.Literal(true, { description: 'Nobody answers in time.' })),
    by: Type.Optional(
      oneOrMore<string>(
        { type: 'string', minLength: 1 },
        'The names of the principals who answer, in order. If absent: as many people as the decision needs.',
      ),
    ),
    reason: Type.Optional(text('The reason that they give.')),
    after: Type.Optional(
      Type.String({
        pattern: durationPattern,
        'x-fault': 'must be a duration, such as 30s, 10m, 4h',
        description: 'How long after the question they answer. If absent: at once.',
      }),
    ),
  },
  'What people answer. Needs exactly one of approve, doubt, expire.',
)
export type DecisionDocument = Static<typeof decision>

const call = closed(
  {
    skill: Type.Optional(skill('The skill.')),
    step: Type.Optional(text("The step's id or address.")),
    connection: Type.Optional(text('The slot.')),
    with: Type.Optional(object<Json>({}, 'Members that the input must have. Other members do not matter.')),
    times: Type.Optional(whole(0, 'The number of calls, including retries. If absent: at least one.')),
  },
  'Calls that the run makes. Needs skill, step or both.',
)
export type CallDocument = Static<typeof call>

const finding = Type.Unsafe<string | { readonly title?: string; readonly risk?: string; readonly evidence?: Json }>({
  anyOf: [
    { type: 'string', minLength: 1, description: "A part of the finding's title." },
    closed(
      {
        title: Type.Optional(text("A part of the finding's title.")),
        risk: Type.Optional(words(risks, "The finding's risk.")),
        evidence: Type.Optional(anything("Members that the finding's evidence must have. Other members do not matter.")),
      },
      'A finding.',
    ),
  ],
})
export type FindingDocument = Static<typeof finding>

const caseExpectation = closed(
  {
    title: Type.Optional(told("The case's title.")),
    severity: Type.Optional(words(severities, "The case's severity.")),
    status: Type.Optional(words(caseStatuses, "The case's status.")),
    disposition: Type.Optional(words(dispositions, "The case's disposition.")),
    summary: Type.Optional(told("The verdict's summary.")),
    notes: Type.Optional(Type.Array(text('A part of a note.'), { minItems: 1, description: 'Notes that the case has. It may have others.' })),
    findings: Type.Optional(Type.Array(finding, { minItems: 1, description: 'Findings that the case has. It may have others.' })),
    no_findings: Type.Optional(Type.Array(finding, { minItems: 1, description: 'Findings that the case does not have.' })),
  },
  'The case after the run.',
)

const expectation = closed(
  {
    outcome: Type.Optional(
      words(
        ['completed', 'failed', 'waiting'],
        'How the run ends. waiting: it waits for a person. If `outcome`, `reason`, `error` and `failed_step` are absent: the run must not fail.',
      ),
    ),
    reason: Type.Optional(told('The reason that the stop step gives.')),
    error: Type.Optional(text('The code of the error that the run fails with.')),
    failed_step: Type.Optional(text('The id or address of the step where the run fails.')),
    calls: Type.Optional(
      Type.Array(call, {
        minItems: 1,
        'x-fault': 'must be a list of at least one call; for skills that are not called, write `not_called`',
        description: 'Calls that the run makes. It may make others.',
      }),
    ),
    calls_in_order: Type.Optional(Type.Boolean({ description: 'true: the run makes the `calls` in the order of this list.' })),
    not_called: Type.Optional(Type.Array(skill('A skill.'), { minItems: 1, description: 'Skills that the run does not call.' })),
    decisions: Type.Optional(
      Type.Array(text("A step's id or address."), { description: 'The steps that ask people for a decision, and no others.' }),
    ),
    in_doubt: Type.Optional(Type.Array(text("A step's id or address."), { description: 'The steps whose writes are in doubt, and no others.' })),
    case: Type.Optional(caseExpectation),
    vars: Type.Optional(object<Json>({}, 'Values of `vars` at the end. Other variables do not matter.')),
    outputs: Type.Optional(object<Json>({}, 'The outputs that a calling playbook would get. Other members do not matter.')),
    verdict: Type.Optional(told("The verdict's summary.")),
  },
  'What the run must do.',
)
export type ExpectationDocument = Static<typeof expectation>

/** The answers of the external systems, by skill. */
export const answersSchema = Type.Unsafe<Readonly<Record<string, AnswerDocument | readonly AnswerDocument[]>>>({
  type: 'object',
  propertyNames: { pattern: skillPattern, 'x-fault': 'must be <integration>.<skill>' },
  additionalProperties: oneOrMore<AnswerDocument>(
    { $ref: '#/$defs/answer' },
    'The answer to each call of the skill. With a list: the first call gets the first answer, and so on. All later calls get the last answer.',
  ),
  description: 'The answers of the external systems, by skill.',
})

const protection = closed(
  {
    names: Type.Array(text('A target.'), { minItems: 1, description: 'The protected targets.' }),
    skills: Type.Optional(
      Type.Array(skill('A skill.'), {
        minItems: 1,
        description: 'The skills that must not act on them. If absent: all skills that change something.',
      }),
    ),
  },
  "A rule, as in the policy's `protected`.",
)

const one = closed(
  {
    name: text('What the test checks. Unique in the file.'),
    alert: Type.Optional(alert),
    inputs: Type.Optional(object<Json>({}, 'For a test of a sub-playbook: its inputs.')),
    connections: Type.Optional(
      object<boolean>(
        { type: 'boolean' },
        'By slot: whether the organization has a connection for it. If absent: required slots have one, and optional slots have one if `answers` has a skill of their integration.',
      ),
    ),
    now: Type.Optional(
      Type.String({
        format: 'date-time',
        'x-fault': 'must be a time such as 2026-01-01T00:00:00Z',
        description: 'When the run begins. If absent: 2026-01-01T00:00:00Z.',
      }),
    ),
    answers: Type.Optional(answersSchema),
    protected: Type.Optional(
      Type.Array(protection, {
        description: "What the organization's policy protects. Steps that would change it are skipped. If absent: nothing.",
      }),
    ),
    decisions: Type.Optional(
      object<DecisionDocument | readonly DecisionDocument[]>(
        oneOrMore<DecisionDocument>(
          { $ref: '#/$defs/decision' },
          "What people answer. With a list: the first item answers the step's first question, and so on.",
        ),
        "What people answer, by the step's id or address. A decision that is missing here stays open, and the run waits. Approvals that only the organization's policy asks for are granted.",
      ),
    ),
    expect: expectation,
  },
  'One test.',
)
export type TestDocument = Static<typeof one>

/** A file with a playbook's tests, `<playbook>.test.yaml`. */
const testFile = Type.Object(
  {
    format: Type.Literal(1, { description: 'The version of this grammar.' }),
    playbook: text('The name of the tested playbook.'),
    tests: Type.Array(one, { minItems: 1, description: 'The tests.' }),
  },
  { additionalProperties: false, title: 'Tests of a Tocsin playbook' },
)
export type TestFileDocument = Static<typeof testFile>

/**
 * The JSON Schema (2020-12) of a file with tests. `npm run generate` writes it to
 * schemas/playbook-test.schema.json.
 */
export const playbookTestSchema: object = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...testFile,
  $defs: { answer, decision },
}

export const checkTestFile: Check<TestFileDocument> = compileCheck<TestFileDocument>(playbookTestSchema)
