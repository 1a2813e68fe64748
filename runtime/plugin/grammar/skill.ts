import Type from 'typebox'
import type { Json } from '../../domain/index.ts'
import {
  closed,
  condition,
  duration,
  expect,
  formsBy,
  headers,
  method,
  name,
  path,
  query,
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

const placeOfList = Type.String({ minLength: 1, description: 'Path of the list in the answer.' })
const placeOfMore = Type.String({ minLength: 1, description: 'Path of a boolean that says whether another page follows.' })
const until = Type.Optional(Type.Unsafe<number | string>({ type: ['integer', 'string'], description: 'Stops after this many items.' }))

/** How the pages of a listing are followed. A new kind is one more form here and its file in `pages/`. */
export const pagination = formsBy('kind', {
  cursor: closed({
    kind: Type.Literal('cursor'),
    send: Type.String({ minLength: 1, description: 'The query parameter that carries the cursor.' }),
    next: Type.String({ minLength: 1, description: "Path of the next page's cursor in the answer." }),
    more: Type.Optional(placeOfMore),
    items: placeOfList,
    until,
  }),
  token: closed({
    kind: Type.Literal('token'),
    send: Type.String({ minLength: 1, description: 'The query parameter that carries the token.' }),
    next: Type.String({ minLength: 1, description: "Path of the next page's token in the answer; it counts only while `more` is not false." }),
    more: placeOfMore,
    items: placeOfList,
    until,
  }),
  next_url: closed({
    kind: Type.Literal('next_url'),
    next: Type.String({
      minLength: 1,
      description: "Path of the next page's address in the answer, whole or relative; it must be of the connection's own origins.",
    }),
    more: Type.Optional(placeOfMore),
    items: placeOfList,
    until,
  }),
  offset: Type.Object(
    {
      kind: Type.Literal('offset'),
      send: Type.String({ minLength: 1, description: 'The query parameter that carries the number of items to skip.' }),
      more: Type.Optional(placeOfMore),
      total: Type.Optional(Type.String({ minLength: 1, description: 'Path of the count of all items in the answer.' })),
      items: placeOfList,
      until,
    },
    { additionalProperties: false, anyOf: [{ required: ['more'] }, { required: ['total'] }] },
  ),
})
export type PaginationDocument = Type.Static<typeof pagination>

const request = closed({
  method,
  path,
  query: Type.Optional(query),
  headers: Type.Optional(headers),
  body: Type.Optional(templated),
  expect: Type.Optional(expect),
  paginate: Type.Optional(pagination),
  result: Type.Optional(templated),
})
export type RequestDocument = Type.Static<typeof request>

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
    api: Type.Optional(text),
    target: Type.Optional(template),
    warnings: Type.Optional(Type.Array(text)),
    input: schema,
    output: schema,
    request,
    idempotent: Type.Optional(
      closed({
        by: words(['state', 'key', 'none'], 'state: repeating gives the same state; key: the vendor knows `call.key` again; none: never repeated.'),
        already_done: Type.Optional(Type.Array(name, { description: 'Error codes that mean that it was done before: success.' })),
        repeat_within: Type.Optional(duration),
      }),
    ),
    verify: Type.Optional(closed({ ...otherSkill, happened: condition }, 'Asked when the outcome is unknown.')),
    inverse: Type.Optional(closed(otherSkill)),
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
