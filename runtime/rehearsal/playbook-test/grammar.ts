import Type, { type TProperties, type TUnsafe } from 'typebox'
import { caseStatuses, dispositions, type Json, risks, severities } from '../../domain/index.ts'
import { type Check, compileCheck, durationPattern } from '../../yaml/index.ts'

function closed<T extends TProperties>(properties: T, description: string) {
  return Type.Object(properties, { additionalProperties: false, description })
}

function words<const T extends readonly string[]>(values: T, description: string): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description })
}

/** One of them, or a list. */
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

/** A text that must be it, or `contains: a part of it`. */
const told = (description: string) =>
  Type.Unsafe<string | { readonly contains: string }>({
    anyOf: [{ type: 'string' }, closed({ contains: text('A part of it.') }, 'A part is enough.')],
    description,
  })
export type Told = string | { readonly contains: string }

const alert = closed(
  {
    content: Type.Unsafe<string | { readonly [key: string]: Json }>({
      type: ['string', 'object', 'array'],
      description: 'What the source posted: JSON as YAML, or a text.',
    }),
    alert_type: Type.Optional(text("The alert's type; the first of the playbook's if absent.")),
    alert_name: Type.Optional(text('Its name.')),
    alert_provider: Type.Optional(text('Its provider.')),
    alert_id: Type.Optional(text('Its id.')),
    alert_uuid: Type.Optional(text('Its UUID.')),
    organization_code: Type.Optional(text('The organization that it is of.')),
    created_at: Type.Optional(whole(0, 'When it was posted, in epoch milliseconds; the beginning of the run if absent.')),
    created_at_source: Type.Optional(whole(0, 'When it came about at its source, in epoch milliseconds.')),
  },
  'The alert that is investigated.',
)

const when = closed(
  {
    with: Type.Optional(object<Json>({}, 'Members of the input; those that are not named do not matter.')),
    step: Type.Optional(text("The step's id or address.")),
    connection: Type.Optional(text('The slot.')),
  },
  'Which calls it answers; any if absent.',
)

const answer = closed(
  {
    output: Type.Optional(
      anything('What the skill gives. What its output schema requires and is left out is generated; an empty object is generated whole.'),
    ),
    generate: Type.Optional(
      Type.Unsafe<true | 'required'>({
        enum: [true, 'required'],
        description: "An output made from the skill's output schema: with all members that it declares, or those that it requires.",
      }),
    ),
    recorded: Type.Optional(text("The output of a fixture of the skill's plugin, by its name.")),
    error: Type.Optional(text('The call fails with this error code, of the registry or of the integration.')),
    lost: Type.Optional(
      words(['before', 'after'], 'before: the request of a write is lost before it leaves; after: it leaves, and the answer never comes.'),
    ),
    message: Type.Optional(text("With `error`: the failure's message.")),
    effect: Type.Optional(
      words(['not_sent', 'refused', 'done', 'unknown'], 'With `error`: what the call did outside; what the code says if absent.'),
    ),
    verify: Type.Optional(
      Type.Unsafe<AnswerDocument>({
        $ref: '#/$defs/answer',
        description: "With `lost: after`, or an `effect: unknown`: what the skill's probe is answered. Without it the probe is not answered.",
      }),
    ),
    strict: Type.Optional(Type.Boolean({ description: 'false: the output is taken as it stands, and need not fit the output schema of the skill.' })),
    when: Type.Optional(when),
  },
  'What a call is answered. One of output, generate, recorded, error, lost.',
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
  readonly strict?: boolean
  readonly when?: Type.Static<typeof when>
}

const decision = closed(
  {
    approve: Type.Optional(Type.Boolean({ description: 'Of an approval: true approves, false declines.' })),
    doubt: Type.Optional(
      words(['happened', 'repeat', 'give_up'], 'Of a write in doubt: it happened; it did not, and is to be sent again; it is to fail.'),
    ),
    output: Type.Optional(anything('With `doubt: happened`: what the write answered.')),
    expire: Type.Optional(Type.Literal(true, { description: 'Nobody answers in time.' })),
    by: Type.Optional(
      oneOrMore<string>({ type: 'string', minLength: 1 }, 'Who answers: names of principals, one after the other; as many as are needed if absent.'),
    ),
    reason: Type.Optional(text('Why.')),
    after: Type.Optional(
      Type.String({
        pattern: durationPattern,
        'x-fault': 'must be a duration, such as 30s, 10m, 4h',
        description: 'How long after it was asked; at once if absent.',
      }),
    ),
  },
  'What people answer. One of approve, doubt, expire.',
)
export type DecisionDocument = Type.Static<typeof decision>

const call = closed(
  {
    skill: Type.Optional(skill('The skill that is called.')),
    step: Type.Optional(text("The step's id or address.")),
    connection: Type.Optional(text('The slot.')),
    with: Type.Optional(object<Json>({}, 'Members of the input; those that are not named do not matter.')),
    times: Type.Optional(whole(0, 'How often, tries counted; at least once if absent.')),
  },
  'Calls that are made. At least one of skill and step.',
)
export type CallDocument = Type.Static<typeof call>

const finding = Type.Unsafe<string | { readonly title?: string; readonly risk?: string; readonly evidence?: Json }>({
  anyOf: [
    { type: 'string', minLength: 1, description: 'A part of the title.' },
    closed(
      {
        title: Type.Optional(text('A part of the title.')),
        risk: Type.Optional(words(risks, 'Its risk.')),
        evidence: Type.Optional(anything('Members of its evidence; those that are not named do not matter.')),
      },
      'A finding.',
    ),
  ],
})
export type FindingDocument = Type.Static<typeof finding>

const caseExpectation = closed(
  {
    title: Type.Optional(told('Its title.')),
    severity: Type.Optional(words(severities, 'Its severity.')),
    status: Type.Optional(words(caseStatuses, 'Its status.')),
    disposition: Type.Optional(words(dispositions, 'Its disposition.')),
    summary: Type.Optional(told("The verdict's summary.")),
    notes: Type.Optional(Type.Array(text('A part of a note.'), { description: 'Notes that it has, among others.' })),
    findings: Type.Optional(Type.Array(finding, { description: 'Findings that it has, among others.' })),
    no_findings: Type.Optional(Type.Array(finding, { description: 'Findings that it does not have.' })),
  },
  'The case that is left.',
)

const expectation = closed(
  {
    outcome: Type.Optional(words(['completed', 'failed', 'waiting'], 'How the run ends, or that it waits for a person.')),
    reason: Type.Optional(told('Why it stopped, as the stop step says.')),
    error: Type.Optional(text('The code of the error that the run fails with.')),
    failed_step: Type.Optional(text('Id or address of the step that the run fails at.')),
    calls: Type.Optional(Type.Array(call, { description: 'Calls that are made, among others.' })),
    calls_in_order: Type.Optional(Type.Boolean({ description: 'Whether the `calls` are made in the order in which they are listed.' })),
    not_called: Type.Optional(Type.Array(skill('A skill.'), { description: 'Skills that are not called.' })),
    decisions: Type.Optional(
      Type.Array(text("A step's id or address."), { description: 'The steps that put a decision before people, and no others.' }),
    ),
    in_doubt: Type.Optional(
      Type.Array(text("A step's id or address."), { description: 'The writes of which nobody knows whether they happened, and no others.' }),
    ),
    case: Type.Optional(caseExpectation),
    vars: Type.Optional(object<Json>({}, 'Values of `vars` at the end; those that are not named do not matter.')),
    outputs: Type.Optional(object<Json>({}, 'What a playbook that ran it would get; members that are not named do not matter.')),
    verdict: Type.Optional(told("The verdict's summary.")),
  },
  'What the run must come to.',
)
export type ExpectationDocument = Type.Static<typeof expectation>

/** What the external systems answer, by skill. */
export const answersSchema = Type.Unsafe<Readonly<Record<string, AnswerDocument | readonly AnswerDocument[]>>>({
  type: 'object',
  propertyNames: { pattern: skillPattern, 'x-fault': 'must be <integration>.<skill>' },
  additionalProperties: oneOrMore<AnswerDocument>(
    { $ref: '#/$defs/answer' },
    'The answer to each call of the skill; of a list the first to the first call, and so on, the last to all that follow.',
  ),
  description: 'What the external systems answer, by skill.',
})

const protection = closed(
  {
    names: Type.Array(text('A target, as skills name it.'), { minItems: 1, description: 'The targets.' }),
    skills: Type.Optional(
      Type.Array(skill('A skill.'), { minItems: 1, description: 'Skills that leave them alone; all that change something if absent.' }),
    ),
  },
  "As a rule of the policy's `protected`.",
)

const one = closed(
  {
    name: text('What is tested; unique in the file.'),
    alert: Type.Optional(alert),
    inputs: Type.Optional(object<Json>({}, 'Of a sub-playbook that is tested by itself: what it is given.')),
    connections: Type.Optional(
      object<boolean>(
        { type: 'boolean' },
        'By slot, whether the organization has a connection for it. Else required slots are bound, and optional ones where `answers` has a skill of their integration.',
      ),
    ),
    now: Type.Optional(
      Type.String({
        format: 'date-time',
        'x-fault': 'must be a time such as 2026-01-01T00:00:00Z',
        description: 'When the run begins; 2026-01-01T00:00:00Z if absent.',
      }),
    ),
    answers: Type.Optional(answersSchema),
    protected: Type.Optional(
      Type.Array(protection, {
        description: "What the organization's policy protects: steps that would change something of it are skipped. Nothing if absent.",
      }),
    ),
    decisions: Type.Optional(
      object<DecisionDocument | readonly DecisionDocument[]>(
        oneOrMore<DecisionDocument>(
          { $ref: '#/$defs/decision' },
          'What people answer; of a list the first when the step asks for the first time, and so on.',
        ),
        "What people answer, by the step's id or address. A decision that is not named here stays open, and the run waits; what only the organization's policy asks about is given.",
      ),
    ),
    expect: expectation,
  },
  'One test.',
)
export type TestDocument = Type.Static<typeof one>

/** A playbook's tests, `<playbook>.test.yaml`. */
const testFile = Type.Object(
  {
    format: Type.Literal(1, { description: 'The version of this grammar.' }),
    playbook: text('The name of the playbook that is tested.'),
    tests: Type.Array(one, { minItems: 1, description: 'The tests.' }),
  },
  { additionalProperties: false, title: 'Tests of a Tocsin playbook' },
)
export type TestFileDocument = Type.Static<typeof testFile>

/** JSON Schema (2020-12) of a file of playbook tests; schemas/playbook-test.schema.json is this. */
export const playbookTestSchema: object = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...testFile,
  $defs: { answer, decision },
}

export const checkTestFile: Check<TestFileDocument> = compileCheck<TestFileDocument>(playbookTestSchema)
