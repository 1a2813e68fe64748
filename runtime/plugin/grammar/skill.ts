import type { Json } from '../../domain/index.ts'
import { type Static, Type } from '../../schema/index.ts'
import { pagination } from './pagination.ts'
import {
  base,
  closed,
  condition,
  duration,
  durationUpTo,
  expect,
  headers,
  method,
  name,
  path,
  query,
  size,
  skillName,
  template,
  templated,
  text,
  words,
} from './shared.ts'

/** A JSON Schema (2020-12) of an object. It is validated when the skill is compiled. */
const schema = Type.Unsafe<{ readonly [key: string]: Json }>({
  type: 'object',
  required: ['type'],
  properties: { type: { const: 'object' } },
})

const request = closed({
  method,
  path,
  query: Type.Optional(query),
  headers: Type.Optional(headers),
  base: Type.Optional(base),
  body: Type.Optional(templated),
  expect: Type.Optional(expect),
  timeout: Type.Optional({ ...durationUpTo('10m'), description: "The time-out of this request, instead of the manifest's. At most 2m for a write." }),
  paginate: Type.Optional(pagination),
  result: Type.Optional(templated),
})
export type RequestDocument = Static<typeof request>

/** A skill that needs code, in `skills/<id>.ts` beside the YAML file. */
const handler = closed(
  {
    timeout: Type.Optional({
      ...durationUpTo('1h'),
      description: 'The time-out of the whole call, including its requests and waits. Default: 2m. At most 1h.',
    }),
    memory: Type.Optional({ ...size, description: 'The memory of the isolate, 8MiB to 512MiB. Default: 64MiB.' }),
    max_requests: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'The most requests of one call. Default: 100.' })),
    max_stream: Type.Optional({ ...size, description: 'The most bytes of one streamed answer. Default: 1GiB.' }),
    errors: Type.Optional(
      Type.Record(name, closed({ cause: text, remedy: text }), { description: 'The errors that the handler may fail with, by code.' }),
    ),
  },
  'Code instead of a request.',
)
export type HandlerDocument = Static<typeof handler>

/** A dotted path. `*` stands for every item of a list. */
const starredPath = Type.String({
  pattern: '^(\\*|[^.*\\s]+)(\\.(\\*|[^.*\\s]+))*$',
  'x-fault': 'must be a dotted path, in which `*` stands for every item of a list',
})

const itemResults = closed(
  {
    list: Type.String({ minLength: 1, description: 'The path of the list in the output, with one entry for each item.' }),
    of: Type.Optional(
      Type.Unsafe<Json>({
        description: 'The requested items: a template over `input` that gives a list. If absent, the entries of the list are all items.',
      }),
    ),
    named_by: Type.Optional(Type.String({ minLength: 1, description: "The path of the item's name in an entry. If absent, the entry is the name." })),
    done: Type.Optional({
      ...condition,
      description:
        'A condition over `item` and `input`: the item was done. If no conditions are given, `item.status` has the status, and an entry that is only a name was done.',
    }),
    failed: Type.Optional({ ...condition, description: 'The item was refused.' }),
    not_sent: Type.Optional({ ...condition, description: 'The item was not sent. If no condition matches, its status is unknown.' }),
    absent: Type.Optional(words(['done', 'failed', 'unknown'], 'The status of an item in `of` that has no entry. Default: unknown.')),
  },
  'The outcome of each item of the call. If not all were done, the call fails with `items_failed`, and its output is kept. The counts `all_done`, `done`, `failed`, `not_sent`, `unknown` are filled in where the output schema names them.',
)
export type ItemResultsDocument = Static<typeof itemResults>

const otherSkill = { skill: skillName, with: Type.Optional(Type.Unsafe<{ readonly [key: string]: Json }>({ type: 'object' })) }

/** A named operation: `plugins/<integration>/skills/<id>.yaml`. */
export const skill = Type.Object(
  {
    format: Type.Literal(1),
    id: name,
    title: text,
    purpose: text,
    category: words(['investigation', 'containment', 'access_control', 'recovery', 'administration', 'ticketing']),
    impact: words(['read', 'write', 'high']),
    minimum_role: Type.Optional(name),
    requires: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "What the credentials need for this skill, in the vendor's words, for example `the role Analyst`. Shown if a call fails for lack of a role. Default: `minimum_role`.",
      }),
    ),
    api: Type.Optional(text),
    target: Type.Optional(
      Type.Union([template, Type.Array(template, { minItems: 1 })], {
        description:
          'What a call acts on. A list of templates, or a template that gives a list, means several targets. Policies can protect each of them.',
      }),
    ),
    warnings: Type.Optional(Type.Array(text)),
    input: schema,
    output: schema,
    request: Type.Optional(request),
    handler: Type.Optional(handler),
    item_results: Type.Optional(itemResults),
    matches: Type.Optional(
      Type.Array(
        closed({
          output: { ...starredPath, description: 'The path in the output. `*` stands for every item of a list.' },
          input: {
            ...starredPath,
            description: 'The path in the input of the requested value or list of values. If the input has none, nothing is checked.',
          },
          as: Type.Optional(
            words(
              ['equal', 'contains', 'from', 'until'],
              "How to compare. equal (default): the output's value is one of the input's. contains: it contains one of them. from, until: the output's time is not before, or not after, the input's.",
            ),
          ),
          ignore_case: Type.Optional(
            Type.Boolean({
              description: 'Ignores differences of case, IPv6 notation and the form of international domains.',
            }),
          ),
          anywhere: Type.Optional(
            Type.Boolean({ description: 'The value may be anywhere in the object that has the member, for example as an alias.' }),
          ),
        }),
        {
          minItems: 1,
          description:
            'Checks that the output is what the input asked for. If not, a read fails with `answer_not_asked_for`, because the system may have ignored the filter.',
        },
      ),
    ),
    idempotent: Type.Optional(
      closed({
        by: words(
          ['state', 'key', 'none'],
          'Why the call may be sent again. state: repeating it gives the same state. key: the vendor recognises `call.key`. none: it is never sent again.',
        ),
        already_done: Type.Optional(
          Type.Array(name, { description: 'Error codes that mean that the change had already been made. They count as success.' }),
        ),
        repeat_within: Type.Optional({
          ...duration,
          description:
            'How long after its first try the call may be sent again, because repeating is safe or because `verify` has found that it did not happen. After that a person is asked. If absent, there is no limit.',
        }),
      }),
    ),
    verify: Type.Optional(
      closed(
        {
          ...otherSkill,
          happened: condition,
          output: Type.Optional(
            Type.Unsafe<Json>({
              description:
                "The skill's output if the write is found to have happened, made from the answer of the verifying skill. If absent, the output is empty.",
            }),
          ),
        },
        'Called when the outcome of a write is unknown, to find out whether it happened.',
      ),
    ),
    inverse: Type.Optional(
      closed(
        {
          ...otherSkill,
          when: Type.Optional({
            ...condition,
            description: 'A condition over `input` and `output` of the call: can this skill undo it? Default: always.',
          }),
        },
        'The skill that undoes the call, with the same connection. `with` may read `input` and `output` of the call.',
      ),
    ),
    examples: Type.Optional(
      Type.Array(
        closed({
          input: Type.Unsafe<{ readonly [key: string]: Json }>({ type: 'object' }),
          fixture: Type.Optional(
            Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$', 'x-fault': 'must be the name of a file in fixtures/, without .json' }),
          ),
        }),
      ),
    ),
  },
  { additionalProperties: false, title: 'Tocsin skill' },
)
export type SkillDocument = Static<typeof skill>
