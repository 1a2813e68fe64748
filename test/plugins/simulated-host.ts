import { Agent, request } from 'undici'
import { parseJson } from '../../runtime/domain/index.ts'
import type { HandlerHost, SendResult, SkillRequest } from '../../runtime/plugin/index.ts'
import { withHandling } from '../../runtime/plugin/testing.ts'

/**
 * Makes a host that sends to a simulator, with the secret in a header. It does what connection and
 * egress do, without their rules.
 */
export function simulatedHost(origin: string, ca: string, header: Readonly<Record<string, string>>): HandlerHost & { close(): Promise<void> } {
  const agent = new Agent({ connect: { ca } })
  return withHandling({
    key: 'simulated-call-key',
    fields: { base_url: origin },
    send: async ({ method, path, query, headers, body, base }: SkillRequest): Promise<SendResult> => {
      const search = query.length === 0 ? '' : `?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))}`
      try {
        const answer = await request(`${origin}${base === 'none' ? '' : '/api/v1'}${path}${search}`, {
          dispatcher: agent,
          method: method as 'GET',
          headers: { ...headers, ...header, ...(body !== undefined && { 'content-type': 'application/json' }) },
          body: body === undefined ? null : JSON.stringify(body),
        })
        const text = await answer.body.text()
        const named = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const)
        const json = text !== '' && /json/.test(String(answer.headers['content-type']))
        return { effect: 'done', answer: { status: answer.statusCode, headers: Object.fromEntries(named), body: json ? parseJson(text) : text } }
      } catch (error) {
        return { effect: 'unknown', code: 'network', message: String(error) }
      }
    },
    close: () => agent.close(),
  })
}
