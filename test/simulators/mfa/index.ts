import type { Reply } from '../faults.ts'
import type { Pki } from '../pki.ts'
import { type ServerSettings, type SimulatedRequest, serveSimulator } from '../server.ts'
import { control } from './control.ts'
import { ruleOf } from './failures.ts'
import { exactJson, openJws, signJws } from './jws.ts'
import { type Body, operate } from './operations.ts'
import { envelopeFault } from './request-header.ts'
import type { AnswerForm, MfaSimulator } from './simulator.ts'
import { seedUsers, type User } from './users.ts'

export type { MfaSimulator } from './simulator.ts'
export { userNamed } from './users.ts'

export interface MfaSettings {
  readonly pki: Pki
  readonly orgAlias: string
  readonly token: string
  /** Base64, as in the properties file. */
  readonly key: string
  /** The operations that the properties file allows. Default: all. */
  readonly operations?: readonly string[]
  /** 0 or absent: any free port. */
  readonly port?: number
  readonly remember?: number
  /** Users besides those of the story. */
  readonly users?: readonly User[]
  /** Returns the milliseconds between the work and the answer. Absent: 0. */
  readonly answersAfter?: ServerSettings['answersAfter']
  /**
   * Also refuses what the vendor accepts from its own samples. A client that passes sends only what
   * is documented.
   */
  readonly strict?: boolean
}

const base = '/pingid'
/** Its clock advances one second with each answer, and does not depend on the date. */
const started = Date.UTC(2026, 9, 1)

export async function startMfaSimulator(settings: MfaSettings): Promise<MfaSimulator> {
  const key = Buffer.from(settings.key, 'base64')
  const users = new Map<string, User>()
  let form: AnswerForm = 'wrapped'
  let ticks = 0
  const reset = (): void => {
    users.clear()
    for (const user of [...seedUsers(), ...(settings.users ?? [])]) users.set(user.userName, user)
    form = 'wrapped'
  }
  reset()

  const strict = settings.strict ?? false
  const reply = (status: number, body: object, written = false, clientData: unknown = null): Reply => {
    ticks += 1
    const date = new Date(started + ticks * 1000).toUTCString()
    const whole = { ...body, uniqueMsgId: `webs_${String(ticks).padStart(6, '0')}`, clientData }
    const text = exactJson(form === 'bare' ? whole : { responseBody: whole })
    const alias = form === 'other_organization' ? `not-${settings.orgAlias}` : settings.orgAlias
    const header = { alg: 'HS256', org_alias: alias, token: settings.token }
    const signer = form === 'wrong_signature' ? Buffer.alloc(32, 7) : key
    return { status, headers: { date }, body: form === 'plain' ? exactJson(whole) : signJws(header, text, signer), written }
  }

  const answer = (request: SimulatedRequest): Reply => {
    if (request.path.startsWith('/_simulator/')) return control(request, simulator)
    if (request.path === `${base}/heartbeat` && request.method === 'GET')
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'OK' }
    const name = /^\/pingid\/rest\/4\/([a-z]+)\/do$/.exec(request.path)?.[1]
    if (name === undefined) return { status: 404, headers: { 'content-type': 'text/html' }, body: '<html><title>Not Found</title></html>' }
    if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' }, body: '' }
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) return { status: 415, body: '' }
    const opened = openJws(request.body, key)
    if (opened === null) return reply(400, { errorId: 400, errorMsg: 'Invalid input: the body is not a JWS' })
    if (opened === 'wrong_signature') return reply(401, { errorId: 401, errorMsg: 'JWT signature validation failed' })
    const fault = envelopeFault(opened, settings, strict)
    if (fault !== null) return reply(fault.status, { errorId: fault.status, errorMsg: fault.message })
    if (settings.operations && !settings.operations.includes(name)) return reply(403, { errorId: 403, errorMsg: 'Permission denied' })
    const now = started + ticks * 1000
    const body = opened.payload['reqBody'] as Body
    const outcome = operate(name, body, { users, now }, strict)
    if (outcome === null) return reply(404, { errorId: 404, errorMsg: 'No such operation' })
    const { errorId, errorMsg, more, changed } = outcome
    if (changed) users.set(changed.userName, changed)
    return reply(errorId === 200 ? 200 : 400, { ...more, errorId, errorMsg }, changed !== undefined, body['clientData'] ?? null)
  }

  const server = await serveSimulator(answer, {
    pki: settings.pki,
    port: settings.port ?? 0,
    remember: settings.remember ?? 1000,
    ...(settings.answersAfter && { answersAfter: settings.answersAfter }),
  })
  const simulator: MfaSimulator = {
    ...server,
    idpUrl: server.url + base,
    user: (name) => users.get(name) ?? null,
    fail: (failure) => server.faults.add(ruleOf(failure)),
    answerAs: (next) => {
      form = next
    },
    reset,
  }
  return simulator
}
