import { createHmac, hash } from 'node:crypto'
import type { Reply } from '../faults.ts'
import type { SimulatedRequest } from '../server.ts'
import { organizationId, runAs } from './org/org.ts'
import { json, methodNotAllowed, notForRest, refusal, sessionExpired, tokenRefusal } from './replies.ts'

/** How the token endpoint refuses every request. Null: it does not. */
export type TokenPolicy = keyof typeof policies | null

/** The vendor's answers, by reason. Where no public source shows one, we chose it; README.md says where. */
const policies = {
  /** As the shared login hosts answer: client credentials only work at the org's own host. */
  login_host: ['invalid_grant', 'request not supported on this domain'],
  no_run_as: ['invalid_grant', 'no client credentials user enabled'],
  flow_disabled: ['invalid_grant', 'authentication failure'],
  user_denied: ['invalid_grant', "user hasn't approved this consumer"],
  app_denied: ['invalid_app_access', 'user is not admin approved to access this app'],
  access_denied: ['access_denied', 'end-user denied authorization'],
} as const
export const tokenPolicies = Object.keys(policies) as readonly (keyof typeof policies)[]

export interface Client {
  readonly id: string
  readonly secret: string
}

/** The connected app and its access tokens. */
export class Sessions {
  readonly #now: () => number
  readonly #valid = new Set<string>()
  readonly #unfit = new Set<string>()
  #issued = 0
  client: Client
  policy: TokenPolicy = null
  /** The `instance_url` of the token answer. Null: the simulator's address. */
  instanceUrl: string | null = null
  /** If true, new tokens are valid but the REST API refuses them. */
  unfit = false

  constructor(client: Client, now: () => number) {
    this.client = client
    this.#now = now
  }

  /** The number of tokens so far. */
  get issued(): number {
    return this.#issued
  }

  /** Expires every token so far. */
  expire(): void {
    this.#valid.clear()
    this.#unfit.clear()
  }

  /** Returns null if the request has a valid token. */
  refuse({ headers }: SimulatedRequest): Reply | null {
    const token = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
    if (this.#unfit.has(token)) return notForRest
    return this.#valid.has(token) ? null : sessionExpired
  }

  /** Answers `POST /services/oauth2/token` and `/revoke`. */
  answer(request: SimulatedRequest, url: string): Reply {
    if (request.method !== 'POST') return tokenRefusal('invalid_request', 'must use HTTP POST')
    const form = formOf(request)
    if (form === null) return tokenRefusal('unsupported_grant_type', 'grant type not supported')
    if (request.path === '/services/oauth2/revoke') return this.#revoke(form)
    if (request.path !== '/services/oauth2/token') return refusal(methodNotAllowed(request.method, []))
    const fault = this.#fault(form, request)
    return fault ?? this.#issue(url)
  }

  #fault(form: URLSearchParams, { headers, query }: SimulatedRequest): Reply | null {
    if (query !== '') return tokenRefusal('invalid_request', 'the request has a query string')
    const twice = [...form.keys()].find((name) => form.getAll(name).length > 1)
    if (twice !== undefined) return tokenRefusal('invalid_request', `${twice} is given twice`)
    if (form.get('grant_type') !== 'client_credentials') return tokenRefusal('unsupported_grant_type', 'grant type not supported')
    const basic = basicOf(headers.authorization)
    if (basic && form.has('client_secret')) return tokenRefusal('invalid_request', 'the client is named twice')
    const id = basic?.id ?? form.get('client_id') ?? ''
    const secret = basic?.secret ?? form.get('client_secret') ?? ''
    if (this.policy === 'login_host') return tokenRefusal(...policies.login_host)
    if (id !== this.client.id) return tokenRefusal('invalid_client_id', 'client identifier invalid')
    if (secret !== this.client.secret) return tokenRefusal('invalid_client', 'invalid client credentials')
    if (this.policy === null) return null
    const [error, description] = policies[this.policy]
    return tokenRefusal(error, description)
  }

  #issue(url: string): Reply {
    this.#issued += 1
    const token = `${organizationId.slice(0, 15)}!AQ${hash('sha256', `token ${this.#issued}`, 'base64url')}`
    ;(this.unfit ? this.#unfit : this.#valid).add(token)
    // The vendor names a login host here. A client that follows it must stay on this machine.
    const id = `${url}/id/${organizationId}/${runAs}`
    const issuedAt = String(this.#now())
    return json({
      access_token: token,
      signature: createHmac('sha256', this.client.secret)
        .update(id + issuedAt)
        .digest('base64'),
      scope: 'api',
      token_format: 'opaque',
      instance_url: this.instanceUrl ?? url,
      id,
      token_type: 'Bearer',
      issued_at: issuedAt,
      api_instance_url: 'https://api.salesforce.com',
    })
  }

  #revoke(form: URLSearchParams): Reply {
    return this.#valid.delete(form.get('token') ?? '')
      ? { status: 200, body: '' }
      : tokenRefusal('unsupported_token_type', 'this token type is not supported')
  }
}

function formOf({ headers, body }: SimulatedRequest): URLSearchParams | null {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '') ? new URLSearchParams(body) : null
}

function basicOf(header: string | undefined): Client | null {
  const found = /^Basic (\S+)$/i.exec(header ?? '')
  if (!found) return null
  const [id = '', ...secret] = Buffer.from(found[1] ?? '', 'base64')
    .toString('utf8')
    .split(':')
  return { id: decodeURIComponent(id), secret: decodeURIComponent(secret.join(':')) }
}
