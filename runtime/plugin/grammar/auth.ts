import Type from 'typebox'
import { closed, formsBy, name } from './shared.ts'

/** A credential field, by name; its value never leaves the host. */
const credential = closed({ credential: name })

/** How requests are authenticated: a host-side scheme and the fields it takes. A new scheme is one more form here and its code in the connection room. */
export const auth = formsBy('scheme', {
  header: closed({
    scheme: Type.Literal('header'),
    header: Type.String({ pattern: '^[A-Za-z0-9-]+$', 'x-fault': 'must be the name of a header' }),
    value: credential,
    prefix: Type.Optional(Type.String({ description: 'Put before the value, for example `Bearer `.' })),
  }),
})
export type AuthDocument = Type.Static<typeof auth>
