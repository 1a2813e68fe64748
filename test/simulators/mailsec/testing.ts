import { Agent, request } from 'undici'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { makePki } from '../pki.ts'
import { type MailsecSettings, startMailsecSimulator } from './index.ts'
import type { MailsecSimulator } from './simulator.ts'
import type { Role } from './vocabulary.ts'

export interface Answer {
  readonly status: number
  readonly type: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  readonly json: any
}

export interface Asked {
  readonly method?: string
  /** Null sends no header. */
  readonly secret?: string | null
  readonly body?: unknown
}

/**
 * Starts a simulator for the tests of one file. Before each test, clears its failures and restores
 * its role.
 */
export function simulated(role: Role, settings: Partial<MailsecSettings> = {}) {
  const pki = makePki()
  const token = 'correct-token'
  const agent = new Agent({ connect: { ca: pki.ca } })
  let simulator: MailsecSimulator

  beforeAll(async () => {
    simulator = await startMailsecSimulator({ pki, token, issues: 12, ...settings })
  })
  beforeEach(() => {
    simulator.faults.clear()
    simulator.setRole(role)
  })
  afterAll(async () => {
    await agent.close()
    await simulator.close()
  })

  const call = async (path: string, init: Asked = {}): Promise<Answer> => {
    const secret = init.secret === undefined ? token : init.secret
    const response = await request(simulator.url + path, {
      dispatcher: agent,
      method: (init.method ?? 'GET') as 'GET',
      headers: {
        ...(secret !== null && { 'x-vendor-client-secret': secret }),
        ...(init.body !== undefined && { 'content-type': 'application/json' }),
      },
      body: init.body === undefined ? null : JSON.stringify(init.body),
    })
    const text = await response.body.text()
    const type = String(response.headers['content-type'])
    return {
      status: response.statusCode,
      type,
      headers: response.headers,
      text,
      json: type.includes('json') && text !== '' ? JSON.parse(text) : null,
    }
  }
  return { call, simulator: () => simulator }
}
