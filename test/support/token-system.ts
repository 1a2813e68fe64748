import type { Reply } from '../simulators/faults.ts'
import type { SimulatedRequest } from '../simulators/server.ts'

/** An external system that grants access tokens for a client id and secret, and returns records to requests with a valid token. */
export class TokenSystem {
  clientId = 'client-1'
  clientSecret = 'kanarienvogel/secret+1'
  /** Fields of its token answers besides the token. */
  says: Readonly<Record<string, unknown>> = { token_type: 'Bearer' }
  /** The answer instead of a token. */
  refuses: Reply | null = null
  /** The answer to an invalid token. */
  invalid = 'INVALID_SESSION_ID'
  /** Whether it rejects all tokens, even new ones. */
  closed = false
  versions: unknown = [
    { label: 'Old', url: '/data/v9.0', version: '9.0' },
    { label: 'New', url: '/data/v67.0', version: '67.0' },
  ]
  /** The tokens that it has granted. Like the client secret, each contains the canary that test/security looks for. */
  readonly issued: string[] = []
  readonly writes: string[] = []
  #valid = new Set<string>()

  answer(request: SimulatedRequest): Reply {
    const { method, path } = request
    if (path === '/oauth2/token') return this.#grant(request)
    const token = /^Bearer (.+)$/.exec(String(request.headers['authorization']))?.[1]
    if (token === undefined || this.closed || !this.#valid.has(token))
      return json(401, [{ errorCode: this.invalid, message: `Session expired or invalid: ${token}` }])
    if (path === '/data') return json(200, this.versions)
    if (method !== 'GET') this.writes.push(path)
    return json(200, { path, echo: token, basic: Buffer.from(`x:${this.clientSecret}`).toString('base64'), secret: this.clientSecret })
  }

  /** Revokes all tokens issued so far. */
  expireAll(): void {
    this.#valid.clear()
  }

  #grant({ body, headers }: SimulatedRequest): Reply {
    if (this.refuses) return this.refuses
    const form = new URLSearchParams(body)
    const basic = /^Basic (.+)$/.exec(String(headers['authorization']))?.[1]
    const [user = '', password = ''] = basic === undefined ? [] : Buffer.from(basic, 'base64').toString().split(':').map(decodeForm)
    const id = form.get('client_id') ?? user
    const secret = form.get('client_secret') ?? password
    if (form.get('grant_type') !== 'client_credentials') return json(400, { error: 'unsupported_grant_type' })
    if (id !== this.clientId || secret !== this.clientSecret)
      return json(400, { error: 'invalid_client', error_description: `not ${secret} nor ${encodeURIComponent(secret)}` })
    const token = `kanarienvogel-${this.issued.length + 1}/${'x'.repeat(30)}!`
    this.issued.push(token)
    this.#valid.add(token)
    return json(200, { access_token: token, ...this.says })
  }
}

function decodeForm(text: string): string {
  return new URLSearchParams(`=${text}`).get('') ?? ''
}

function json(status: number, body: unknown): Reply {
  return { status, headers: {}, body: JSON.stringify(body), written: false }
}
