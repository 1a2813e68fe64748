import type { Reply } from '../faults.ts'
import type { Pki } from '../pki.ts'
import { type ServerSettings, type SimulatedRequest, serveSimulator } from '../server.ts'
import { type Behaviour, RestApi } from './api.ts'
import { control } from './control.ts'
import { ruleOf } from './failures.ts'
import { idFrom } from './org/ids.ts'
import { Org, organizationId, runAs } from './org/org.ts'
import { objectNamed } from './org/schema.ts'
import { seedOf } from './org/seed.ts'
import { versions } from './org/versions.ts'
import { errorReply, json, methodNotAllowed, Refused, refusal } from './replies.ts'
import { Sessions } from './session.ts'
import type { CrmSimulator } from './simulator.ts'

export type { Failure } from './failures.ts'
export { idOf } from './org/ids.ts'

export type { CrmSimulator } from './simulator.ts'

export interface CrmSettings {
  readonly pki: Pki
  readonly clientId: string
  readonly clientSecret: string
  /** 0 or absent: any free port. */
  readonly port?: number
  /** The number of contacts in the org. Default: 60. More than 2,000 need a second page. */
  readonly contacts?: number
  /** The number of setup audit trail entries. Default: 120. */
  readonly auditEntries?: number
  /**
   * The clock, in epoch milliseconds. Default: the machine's. Records are older than its value at
   * the start.
   */
  readonly now?: () => number
  readonly remember?: number
  /** Returns the milliseconds between the work and the answer. Absent: 0. */
  readonly answersAfter?: ServerSettings['answersAfter']
}

const usual: Behaviour = { logSize: null, batch: 2000, childBatch: 2000, ungroupable: new Set() }

export async function startCrmSimulator(settings: CrmSettings): Promise<CrmSimulator> {
  const now = settings.now ?? Date.now
  const seed = seedOf({ contacts: settings.contacts ?? 60, auditEntries: settings.auditEntries ?? 120, at: now() })
  const begin = () => {
    const org = new Org(seed, now)
    return { org, api: new RestApi(org, { ...usual }), sessions: new Sessions({ id: settings.clientId, secret: settings.clientSecret }, now) }
  }
  let { org, api, sessions } = begin()
  let used = 17

  const answer = (request: SimulatedRequest): Reply => {
    if (request.path.startsWith('/_simulator/')) return control(request, simulator)
    if (request.path.startsWith('/services/oauth2/') && request.path !== '/services/oauth2/userinfo') return sessions.answer(request, server.url)
    try {
      return rest(request)
    } catch (error) {
      if (error instanceof Refused) return refusal(error)
      throw error
    }
  }

  const rest = (request: SimulatedRequest): Reply => {
    const segments = decoded(request.path.replace(/^\//, ''))
    if (segments === null) return errorReply(400, 'BAD_REQUEST', 'The path is not well formed')
    const [services, data, ...below] = segments
    // The list of versions needs no token, and does not count against limits.
    if (services === 'services' && data === 'data' && below.join('') === '') {
      return request.method === 'GET' ? json(versions) : refusal(methodNotAllowed(request.method, ['HEAD', 'GET']))
    }
    const identity = request.path === '/services/oauth2/userinfo' || request.path === `/id/${organizationId}/${runAs}`
    if (!identity && !(services === 'services' && data === 'data')) return errorReply(404, 'NOT_FOUND', 'The requested resource does not exist')
    const refused = sessions.refuse(request)
    if (refused) return refused
    if (identity) return json(identityOf(org, server.url))
    used += 1
    const headers = { 'sforce-limit-info': `api-usage=${used}/15000` }
    try {
      const reply = api.answer({ request, segments: below, url: server.url })
      return { ...reply, headers: { ...reply.headers, ...headers } }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const reply = refusal(error)
      return { ...reply, headers: { ...reply.headers, ...headers } }
    }
  }

  const server = await serveSimulator(answer, {
    pki: settings.pki,
    port: settings.port ?? 0,
    remember: settings.remember ?? 1000,
    ...(settings.answersAfter && { answersAfter: settings.answersAfter }),
  })
  const simulator: CrmSimulator = {
    ...server,
    find: (type, id) => {
      const object = objectNamed(type)
      return object && org.find(object, idFrom(id) ?? '')
    },
    writesOf: (id) => org.writes.get(id) ?? 0,
    fail: (failure) => server.faults.add(ruleOf(failure)),
    expireTokens: () => sessions.expire(),
    get tokens() {
      return sessions.issued
    },
    setTokenPolicy: (policy) => {
      sessions.policy = policy
    },
    setUnfitTokens: (unfit) => {
      sessions.unfit = unfit
    },
    setInstanceUrl: (url) => {
      sessions.instanceUrl = url
    },
    rotateSecret: (secret) => {
      sessions.client = { ...sessions.client, secret }
    },
    behave: (change) => {
      Object.assign(api.behaviour, change)
    },
    reset: () => {
      server.faults.clear()
      const fresh = begin()
      org = fresh.org
      api = fresh.api
      sessions = fresh.sessions
    },
  }
  return simulator
}

function decoded(path: string): readonly string[] | null {
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return null
  }
}

function identityOf(org: Org, url: string): object {
  const user = org.follow('User', runAs)
  return {
    sub: `${url}/id/${organizationId}/${runAs}`,
    user_id: runAs,
    organization_id: organizationId,
    preferred_username: user?.['Username'] ?? null,
    username: user?.['Username'] ?? null,
    name: user?.['Name'] ?? null,
    email: user?.['Email'] ?? null,
    user_type: 'STANDARD',
    active: true,
  }
}
