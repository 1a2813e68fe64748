import Type, { type TProperties } from 'typebox'
import { type ImpactLimits, type PolicyAnswer, policyAnswers } from '../domain/index.ts'
import { type Check, compileCheck, durationPattern } from '../yaml/index.ts'

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

const approvals = closed(
  {
    high: Type.Optional(answer('Whether people are asked before each call of a `high` skill that no approve step covers; `ask` if absent.')),
    skills: Type.Optional(
      Type.Unsafe<Readonly<Record<string, PolicyAnswer>>>({
        type: 'object',
        propertyNames: { pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$', 'x-fault': 'must be <integration>.<skill>' },
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
        pattern: durationPattern,
        'x-fault': 'must be a duration, such as 30m, 4h, 1d',
        description: 'So long may they take; then the step fails. 24h if absent.',
      }),
    ),
  },
  'When people are asked before a call that no approve step of the playbook covers.',
)

const document = Type.Object(
  {
    format: Type.Literal(1, { description: 'The version of this grammar.' }),
    approvals: Type.Optional(approvals),
    limits: Type.Optional(closed({ impact: Type.Optional(impact) }, 'What runs may do.')),
  },
  { additionalProperties: false, title: "An organization's policy" },
)
export type PolicyDocument = Type.Static<typeof document>

/** JSON Schema (2020-12) of a policy; schemas/policy.schema.json is this. */
export const policySchema: object = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...document }

export const checkPolicy: Check<PolicyDocument> = compileCheck<PolicyDocument>(policySchema)
