import { may, type Permission, permissions } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { tellActOf } from '../../act.ts'
import { type Caller, callerOf, presentedKey, sessionCookieName } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { Uuid } from '../../schemas.ts'

/** The person who is signed in to the console, and what the key may do. */
export const SignedInSchema = Type.Object({
  principal_uuid: Uuid,
  name: Type.String(),
  scopes: Type.Array(Type.Unsafe<Permission>({ type: 'string' })),
  all_organizations: Type.Boolean({ description: 'Whether the key is for all organizations.' }),
})

const SignInBody = Type.Object({ key: Type.String({ minLength: 1, maxLength: 512, description: 'An API key.' }) }, { additionalProperties: false })
/** The largest sign-in body, in bytes: the sender is not known yet. */
const mostOfKey = 4_096
const nothing = Type.Object({})

/**
 * A browser keeps the key in the cookie that the API accepts anyway (specification 5). No script of a page can read it, and no page of
 * another site can send it. It is removed when the browser is closed.
 */
export function consoleSignInRoutes(app: Api, context: ApiContext): void {
  const { gate, guard } = context
  const cookieOf = (value: string, secure: boolean): string =>
    [`${sessionCookieName}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Strict', ...(secure ? ['Secure'] : [])].join('; ')
  const overTls = (origin: string | undefined): boolean => origin?.startsWith('https:') ?? false

  app.post('/console/sign-in', { schema: { hide: true, body: SignInBody, querystring: nothing }, bodyLimit: mostOfKey }, async (request, reply) => {
    const key = request.body.key.trim()
    const caller = await gate.admit(key, request.ip)
    if (caller === null) throw new TocsinError('key_rejected', 'The API key is mistyped or revoked, or belongs to another installation.')
    const on = { address: request.ip }
    tellActOf(context, request, { principal: caller.principal, action: 'signIn', text: 'somebody signed in to the console', on })
    return reply
      .header('set-cookie', cookieOf(key, overTls(request.headers.origin)))
      .header('cache-control', 'no-store')
      .send(signedIn(caller))
  })

  app.post('/console/sign-out', { schema: { hide: true, querystring: nothing } }, async (request, reply) => {
    const key = presentedKey(request.headers)
    const caller = key === null ? null : await Promise.resolve(gate.admit(key, request.ip)).catch(() => null)
    // Signing out also works with a revoked key.
    if (caller) {
      tellActOf(context, request, { principal: caller.principal, action: 'signOut', text: 'somebody has signed out of the console', on: {} })
    }
    return reply
      .header('set-cookie', `${cookieOf('', overTls(request.headers.origin))}; Max-Age=0`)
      .code(204)
      .send()
  })

  app.get('/console/me', { schema: { hide: true, querystring: nothing }, onRequest: [guard(null)] }, (request, reply) =>
    reply.header('cache-control', 'no-store').send(signedIn(callerOf(request))),
  )
}

function signedIn({ principal }: Caller): Static<typeof SignedInSchema> {
  return {
    principal_uuid: principal.id,
    name: principal.name,
    scopes: permissions.filter((permission) => may(principal, permission)),
    all_organizations: principal.organizations === 'all',
  }
}
