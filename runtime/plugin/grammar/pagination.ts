import { type Static, Type } from '../../schema/index.ts'
import { closed, formsBy } from './shared.ts'

const placeOfList = Type.String({ minLength: 1, description: 'The path of the list in the answer.' })
const placeOfMore = Type.String({ minLength: 1, description: 'The path of a boolean that says whether another page follows.' })
const placeOfTotal = Type.String({ minLength: 1, description: 'The path of the total number of items in the answer.' })
const until = Type.Optional(Type.Unsafe<number | string>({ type: ['integer', 'string'], description: 'Stops after this many items.' }))

/** How to follow the pages of a listing. A new kind needs one more form here, and its file in `pages/`. */
export const pagination = formsBy('kind', {
  cursor: closed({
    kind: Type.Literal('cursor'),
    send: Type.String({ minLength: 1, description: 'The query parameter that carries the cursor.' }),
    next: Type.String({ minLength: 1, description: "The path of the next page's cursor in the answer." }),
    more: Type.Optional(placeOfMore),
    total: Type.Optional(placeOfTotal),
    items: placeOfList,
    until,
  }),
  token: closed({
    kind: Type.Literal('token'),
    send: Type.String({ minLength: 1, description: 'The query parameter that carries the token.' }),
    next: Type.String({ minLength: 1, description: "The path of the next page's token in the answer. Ignored once `more` is false." }),
    more: placeOfMore,
    offset: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'The query parameter that carries the number of items to skip. Used if `more` is true and there is no token.',
      }),
    ),
    total: Type.Optional(placeOfTotal),
    items: placeOfList,
    until,
  }),
  next_url: closed({
    kind: Type.Literal('next_url'),
    next: Type.String({
      minLength: 1,
      description: "The path of the next page's URL in the answer, absolute or relative. The URL must be at one of the connection's own origins.",
    }),
    more: Type.Optional(placeOfMore),
    total: Type.Optional(placeOfTotal),
    items: placeOfList,
    until,
  }),
  link: closed(
    {
      kind: Type.Literal('link'),
      total: Type.Optional(placeOfTotal),
      items: Type.Optional(
        Type.String({ minLength: 1, description: 'The path of the list in the answer. If absent, the answer itself is the list.' }),
      ),
      until,
    },
    'Follows the URL with `rel="next"` in the answer\'s `Link` header. It must be at one of the connection\'s own origins.',
  ),
  offset: Type.Object(
    {
      kind: Type.Literal('offset'),
      send: Type.String({ minLength: 1, description: 'The query parameter that carries the number of items to skip.' }),
      more: Type.Optional(placeOfMore),
      total: Type.Optional(placeOfTotal),
      items: placeOfList,
      until,
    },
    { additionalProperties: false, anyOf: [{ required: ['more'] }, { required: ['total'] }] },
  ),
})
export type PaginationDocument = Static<typeof pagination>
