import Type from 'typebox'
import { closed, formsBy } from './shared.ts'

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
    offset: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'The query parameter that carries the number of items to skip; used in place of a token where `more` promises items and there is no token.',
      }),
    ),
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
