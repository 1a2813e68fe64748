import { type ImpactLimits, largestQuota, type PolicyAnswer, policyAnswers, type Severity } from '../domain/index.ts'
import { durationSchema } from '../formats/index.ts'
import { type Static, type TProperties, Type } from '../schema/index.ts'
import { type Check, compileCheck } from '../yaml/index.ts'

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
    high: Type.Optional(limit('Calls of skills with impact `high`.')),
    write: Type.Optional(limit('Calls of skills with impact `write`. Calls with impact `high` do not count here.')),
    targets: Type.Optional(limit('Distinct targets of those calls.')),
  } satisfies Record<keyof ImpactLimits, unknown>,
  'The most that one run may change, whatever its playbook allows.',
)

/** A skill as the key of a record. */
const skillName = { pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$', 'x-fault': 'must be <integration>.<skill>' } as const

const approvals = closed(
  {
    high: Type.Optional(answer('Whether people are asked before each call of a `high` skill that no approve step covers. Absent: `ask`.')),
    skills: Type.Optional(
      Type.Unsafe<Readonly<Record<string, PolicyAnswer>>>({
        type: 'object',
        propertyNames: skillName,
        additionalProperties: answer('Whether people are asked before each call of the skill.'),
        description: 'For single skills (`<integration>.<skill>`) with impact `write` or `high`. Overrides `high`.',
      }),
    ),
    by: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: 50,
        description: 'Who may answer: names of principals, permissions, or `approver` (everybody who may answer decisions). Absent: `approver`.',
      }),
    ),
    approvers: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: 'How many different people must approve. Absent: 1.' })),
    expires: Type.Optional(
      Type.String({
        ...durationSchema(),
        description: 'How long they have to answer. After that the step fails. Absent: 24h.',
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
      calls: { type: 'integer', minimum: 0, maximum: largestQuota, description: 'How many calls are allowed. 0: people are asked about each call.' },
      per: {
        type: 'string',
        ...durationSchema(),
        description: 'Within any span of this length, 1s to 7d.',
      },
    },
    description,
  })
}

const quotas = closed(
  {
    high: Type.Optional(quota('For each skill with impact `high`. Absent: 20 calls per 1h. Null: no quota.')),
    write: Type.Optional(quota('For each skill with impact `write`. Absent or null: no quota.')),
    skills: Type.Optional(
      Type.Unsafe<Readonly<Record<string, QuotaDocument | null>>>({
        type: 'object',
        propertyNames: skillName,
        additionalProperties: quota('The quota of the skill. Null: no quota.'),
        description: 'For single skills (`<integration>.<skill>`). Overrides `high` and `write`.',
      }),
    ),
  },
  'How often a skill may be called in the organization, over all runs and manual calls. Over the quota, people are asked before each call.',
)

const spans = Type.Unsafe<Readonly<Record<string, string | null>>>({
  type: 'object',
  propertyNames: skillName,
  additionalProperties: { type: ['string', 'null'], ...durationSchema(), description: 'The longest time ahead. Null: any time.' },
  description:
    'For single skills (`<integration>.<skill>`) that set something until a time: how far ahead that time may be. Overrides the maximum of the skill.',
})

const someText = { minLength: 1, maxLength: 500 } as const

const protection = closed(
  {
    names: Type.Optional(
      Type.Array(Type.String(someText), {
        minItems: 1,
        maxItems: 1_000,
        description: 'Targets, as skills name them: user names, addresses, ids. Case, width and surrounding space are ignored.',
      }),
    ),
    match: Type.Optional(
      Type.String({
        ...someText,
        description: 'One target, as in `names`. Between slashes: a pattern (RE2) that may match anywhere in a target, ignoring case.',
      }),
    ),
    skills: Type.Optional(
      Type.Array(Type.String(skillName), {
        minItems: 1,
        maxItems: 100,
        description: 'The skills that may not act on them. Absent: all skills that change something.',
      }),
    ),
    reason: Type.String({ ...someText, description: 'Why they are protected. The case shows this text.' }),
  },
  'Targets that no call may change.',
)

const time = (what: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      ...durationSchema(),
      description: `How soon ${what} after the case opens. Null: no limit.`,
    }),
  )

const serviceLevel = closed({ respond: time('a person must act on it'), close: time('it must be closed') }, 'The times for one severity.')

const serviceLevels = closed(
  {
    critical: Type.Optional(serviceLevel),
    high: Type.Optional(serviceLevel),
    medium: Type.Optional(serviceLevel),
    low: Type.Optional(serviceLevel),
    informational: Type.Optional(serviceLevel),
    unassigned: Type.Optional(serviceLevel),
  } satisfies Record<Severity, unknown>,
  'How soon people must act on a case, and close it, by its severity. What is absent has the default.',
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
    service_levels: Type.Optional(serviceLevels),
    protected: Type.Optional(
      Type.Array(protection, {
        maxItems: 200,
        description: 'Protected targets. A call that acts on one is not sent, and the run continues without it.',
      }),
    ),
  },
  { additionalProperties: false, title: "An organization's policy" },
)
export type PolicyDocument = Static<typeof document>

/** JSON Schema (2020-12) of a policy. schemas/policy.schema.json is generated from it. */
export const policySchema: object = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...document }

export const checkPolicy: Check<PolicyDocument> = compileCheck<PolicyDocument>(policySchema)
