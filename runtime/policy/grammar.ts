import Type, { type TProperties } from 'typebox'
import { type ImpactLimits, largestQuota, type PolicyAnswer, policyAnswers } from '../domain/index.ts'
import { type Check, compileCheck, durationSchema } from '../yaml/index.ts'

function closed<T extends TProperties>(properties: T, description: string) {
  return Type.Object(properties, { additionalProperties: false, description })
}

function answer(description: string) {
  return Type.Unsafe<PolicyAnswer>({ type: 'string', enum: [...policyAnswers], description })
}

function limit(description: string) {
  return Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    maximum: 100_000,
    description: `${description} Null or absent: no limit.`,
  })
}

const impact = closed(
  {
    high: Type.Optional(limit('Calls of skills of the impact `high`.')),
    write: Type.Optional(limit('Calls of skills of the impact `write`; those of `high` are not among them.')),
    targets: Type.Optional(limit('Different things that those calls act on.')),
  } satisfies Record<keyof ImpactLimits, unknown>,
  'What a run may change at most, whatever its playbook allows itself.',
)

/** A skill as the key of a record. */
const skillName = { pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$', 'x-fault': 'must be <integration>.<skill>' } as const

const approvals = closed(
  {
    high: Type.Optional(answer('Whether people are asked before each call of a `high` skill that no approve step covers; `ask` if absent.')),
    skills: Type.Optional(
      Type.Unsafe<Readonly<Record<string, PolicyAnswer>>>({
        type: 'object',
        propertyNames: skillName,
        additionalProperties: answer('Whether people are asked before each call of the skill.'),
        description: 'By skill, `<integration>.<skill>`, of the impact `write` or `high`: goes before `high`.',
      }),
    ),
    by: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: 50,
        description: 'Who may answer: names of principals, permissions, or `approver`: everybody who may answer decisions (as if absent).',
      }),
    ),
    approvers: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: 'So many different principals must approve; 1 if absent.' })),
    expires: Type.Optional(
      Type.String({
        ...durationSchema(),
        description: 'So long may they take; then the step fails. 24h if absent.',
      }),
    ),
  },
  'When people are asked before a call that no approve step of the playbook covers.',
)

interface QuotaDocument {
  readonly calls: number
  readonly per: string
}

function quota(description: string) {
  return Type.Unsafe<QuotaDocument | null>({
    type: ['object', 'null'],
    required: ['calls', 'per'],
    additionalProperties: false,
    properties: {
      calls: { type: 'integer', minimum: 0, maximum: largestQuota, description: 'So many calls; 0: people are asked about each.' },
      per: {
        type: 'string',
        ...durationSchema(),
        description: 'In any span of that length, 1s to 7d.',
      },
    },
    description,
  })
}

const quotas = closed(
  {
    high: Type.Optional(quota('Of each skill of the impact `high`; 20 calls per 1h if absent, none if null.')),
    write: Type.Optional(quota('Of each skill of the impact `write`; none if absent or null.')),
    skills: Type.Optional(
      Type.Unsafe<Readonly<Record<string, QuotaDocument | null>>>({
        type: 'object',
        propertyNames: skillName,
        additionalProperties: quota('Of the skill; null: none.'),
        description: 'By skill, `<integration>.<skill>`: goes before `high` and `write`.',
      }),
    ),
  },
  'How often the organization lets a skill be called, over all its runs and by hand. Beyond that people are asked before each call.',
)

const spans = Type.Unsafe<Readonly<Record<string, string | null>>>({
  type: 'object',
  propertyNames: skillName,
  additionalProperties: { type: ['string', 'null'], ...durationSchema(), description: 'So far ahead at most; null: any time.' },
  description:
    'By skill, `<integration>.<skill>`, that sets something until a time: how far ahead that may be. Goes before what the skill itself allows.',
})

const someText = { minLength: 1, maxLength: 500 } as const

const protection = closed(
  {
    names: Type.Optional(
      Type.Array(Type.String(someText), {
        minItems: 1,
        maxItems: 1_000,
        description: 'Targets, as skills name them: user names, addresses, ids. Case, width and surrounding space make no difference.',
      }),
    ),
    match: Type.Optional(
      Type.String({
        ...someText,
        description: 'One target, as in `names`; between slashes a pattern (RE2) that is looked for anywhere in a target, without regard to case.',
      }),
    ),
    skills: Type.Optional(
      Type.Array(Type.String(skillName), {
        minItems: 1,
        maxItems: 100,
        description: 'Skills that leave them alone; all that change something if absent.',
      }),
    ),
    reason: Type.String({ ...someText, description: 'Why; it stands in the case.' }),
  },
  'What no call may change.',
)

const document = Type.Object(
  {
    format: Type.Literal(1, { description: 'The version of this grammar.' }),
    approvals: Type.Optional(approvals),
    limits: Type.Optional(
      closed(
        { impact: Type.Optional(impact), quotas: Type.Optional(quotas), spans: Type.Optional(spans) },
        'How much may be changed, how often, and for how long.',
      ),
    ),
    protected: Type.Optional(
      Type.Array(protection, { maxItems: 200, description: 'What is left alone: a call that acts on it is not sent, and the run goes on without.' }),
    ),
  },
  { additionalProperties: false, title: "An organization's policy" },
)
export type PolicyDocument = Type.Static<typeof document>

/** JSON Schema (2020-12) of a policy. schemas/policy.schema.json is generated from it. */
export const policySchema: object = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...document }

export const checkPolicy: Check<PolicyDocument> = compileCheck<PolicyDocument>(policySchema)
