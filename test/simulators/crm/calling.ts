import { Agent, request } from 'undici'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { makePki } from '../pki.ts'
import { startCrmSimulator } from './index.ts'
import type { CrmSimulator } from './simulator.ts'

/** Calls the simulator over HTTPS, as a client of the vendor's API would. For the simulator's tests. */
const pki = makePki()
const agent = new Agent({ connect: { ca: pki.ca } })
export const client = { clientId: 'consumer-key', clientSecret: 'consumer/secret+' }
export const at = Date.UTC(2026, 9, 15, 12, 30)
export let simulator: CrmSimulator
export let token = ''
/** Sets the token that `api` sends from now on. */
export function use(other: string): void {
  token = other
}

beforeAll(async () => {
  simulator = await startCrmSimulator({ pki, ...client, contacts: 450, now: () => at })
})
beforeEach(async () => {
  simulator.reset()
  token = (await authorize()).json.access_token
})
afterAll(async () => {
  await agent.close()
  await simulator.close()
})

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  readonly json: any
}

export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export async function send(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answer> {
  const response = await request(simulator.url + path, { dispatcher: agent, method: method as 'GET', headers, body: body ?? null })
  const text = await response.body.text()
  const isJson = /json/.test(String(response.headers['content-type']))
  return { status: response.statusCode, headers: response.headers, text, json: isJson && text !== '' ? JSON.parse(text) : null }
}

export const form = { 'content-type': 'application/x-www-form-urlencoded' }
export const asked = { grant_type: 'client_credentials', client_id: client.clientId, client_secret: client.clientSecret }
export const tokenPath = '/services/oauth2/token'

export function authorize(fields: Readonly<Record<string, string>> = asked, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return send(tokenPath, { method: 'POST', headers: { ...form, ...headers }, body: new URLSearchParams(fields).toString() })
}

export function api(
  path: string,
  { method = 'GET', body, headers = {} }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return send(`/services/data/v66.0${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

export const query = (soql: string, how = 'query'): Promise<Answer> => api(`/${how}?q=${encodeURIComponent(soql)}`)
export const names = async (soql: string): Promise<unknown[]> =>
  (await query(soql)).json.records.map((record: { readonly Name?: unknown }) => record.Name)
