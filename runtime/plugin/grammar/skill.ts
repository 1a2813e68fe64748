import Type from 'typebox'
import type { Json } from '../../domain/index.ts'
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

/** A JSON Schema (2020-12) of an object; its own validity is checked when the skill is compiled. */
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
  timeout: Type.Optional({ ...durationUpTo('10m'), description: "Of this request, in place of the manifest's; of a write 2m at most." }),
  paginate: Type.Optional(pagination),
  result: Type.Optional(templated),
})
export type RequestDocument = Type.Static<typeof request>

/** A skill that needs code: `skills/<id>.ts` beside the file. */
const handler = closed(
  {
    timeout: Type.Optional({ ...durationUpTo('1h'), description: 'Of the whole call, its requests and waits included; 2m if absent, 1h at most.' }),
    memory: Type.Optional({ ...size, description: 'Of the isolate, 8MiB to 512MiB; 64MiB if absent.' }),
    max_requests: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: '100 if absent.' })),
    max_stream: Type.Optional({ ...size, description: 'Of one streamed answer; 1GiB if absent.' }),
    errors: Type.Optional(
      Type.Record(name, closed({ cause: text, remedy: text }), { description: 'The errors that the handler may end with, by code.' }),
    ),
  },
  'Code instead of a request.',
)
export type HandlerDocument = Type.Static<typeof handler>

/** A dotted path, in which `*` stands for every item of a list. */
const starredPath = Type.String({
  pattern: '^(\\*|[^.*\\s]+)(\\.(\\*|[^.*\\s]+))*$',
  'x-fault': 'must be a dotted path, in which `*` stands for every item of a list',
})

const itemResults = closed(
  {
    list: Type.String({ minLength: 1, description: 'Path of the list in the output: one entry for each thing.' }),
    of: Type.Optional(
      Type.Unsafe<Json>({ description: 'The things that were asked for: a template over `input` that is a list. Absent: as many as the list has.' }),
    ),
    named_by: Type.Optional(Type.String({ minLength: 1, description: 'Path of the name of its thing in an entry; absent: the entry is the name.' })),
    done: Type.Optional({
      ...condition,
      description: 'Over `item` and `input`: it was done. Without any condition: `item.status` is the word, or the entry is a name.',
    }),
    failed: Type.Optional({ ...condition, description: 'It was refused.' }),
    not_sent: Type.Optional({ ...condition, description: 'It was not sent. What fits none of the conditions is unknown.' }),
    absent: Type.Optional(words(['done', 'failed', 'unknown'], 'What became of a thing of `of` that no entry names; unknown if absent.')),
  },
  'What became of each thing that the call is about. If not all were done, the call fails with `items_failed`, and its output is kept. The counts `all_done`, `done`, `failed`, `not_sent`, `unknown` are filled in where the output schema names them.',
)
export type ItemResultsDocument = Type.Static<typeof itemResults>

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
          "What the credentials need for this skill, in the vendor's words, for example `the role Analyst`. A failure for lack of a role says it. If absent: `minimum_role`.",
      }),
    ),
    api: Type.Optional(text),
    target: Type.Optional(
      Type.Union([template, Type.Array(template, { minItems: 1 })], {
        description: 'What is acted on. A template that is a list, and a list of templates, are several things, each of which policies can protect.',
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
          output: { ...starredPath, description: 'Path in the output; `*` stands for every item of a list.' },
          input: {
            ...starredPath,
            description: 'Path in the input of the value, or list of values, that was asked for; where it has none, nothing is checked.',
          },
          as: Type.Optional(
            words(
              ['equal', 'contains', 'from', 'until'],
              "equal, if absent: the output has one of the input's values; contains: as a part of its own; from, until: the output's time is not before, not after, the input's.",
            ),
          ),
          ignore_case: Type.Optional(
            Type.Boolean({
              description: 'Texts that mean the same are equal: case, IPv6 notation and the form of international domains do not count.',
            }),
          ),
          anywhere: Type.Optional(
            Type.Boolean({ description: 'It is enough that the object which has the member has the value anywhere in it, as an alias for example.' }),
          ),
        }),
        {
          minItems: 1,
          description:
            'What comes back must be what was asked for. A read that answers with something else fails with `answer_not_asked_for`: the system may have ignored the filter.',
        },
      ),
    ),
    idempotent: Type.Optional(
      closed({
        by: words(['state', 'key', 'none'], 'state: repeating gives the same state; key: the vendor knows `call.key` again; none: never repeated.'),
        already_done: Type.Optional(Type.Array(name, { description: 'Error codes that mean that it was done before: success.' })),
        repeat_within: Type.Optional({
          ...duration,
          description:
            'So long after the call was sent first may it be sent again, because repeating is safe or because `verify` has found that it had not happened; then a person is asked. Without bound if absent.',
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
              description: "The skill's output of what was answered, for a write that is found to have happened; nothing if absent.",
            }),
          ),
        },
        'Asked when the outcome is unknown.',
      ),
    ),
    inverse: Type.Optional(
      closed(
        {
          ...otherSkill,
          when: Type.Optional({ ...condition, description: 'Over `input` and `output` of the call: whether this takes it back; always if absent.' }),
        },
        'What takes the call back, by the same connection; `with` reads `input` and `output` of the call.',
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
export type SkillDocument = Type.Static<typeof skill>
