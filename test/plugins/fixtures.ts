import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../../runtime/domain/index.ts'
import type { HandlerHost, SendResult, SkillAnswer, SkillRequest } from '../../runtime/plugin/index.ts'
import { withHandling } from '../../runtime/plugin/testing.ts'

/**
 * A recorded example of a skill, `plugins/<id>/fixtures/<name>.json`: the requests in order, the
 * answers, and the output that the skill makes of them.
 */
export interface Fixture {
  readonly exchanges: readonly { readonly request: RecordedRequest; readonly answer: SkillAnswer }[]
  readonly output: Json
}

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  /** `none`: the path starts at the origin. */
  readonly base?: 'none'
  readonly query: readonly (readonly [string, string])[]
  readonly headers: Readonly<Record<string, string>>
  /** Absent if nothing is sent. */
  readonly body?: Json
  /** Set for a page whose address came from an answer. */
  readonly next?: string
}

export const pluginsFolder = join(import.meta.dirname, '../../plugins')

export function fixtureFile(integration: string, name: string): string {
  return join(pluginsFolder, integration, 'fixtures', `${name}.json`)
}

export function readFixture(integration: string, name: string): Fixture {
  return JSON.parse(readFileSync(fixtureFile(integration, name), 'utf8')) as Fixture
}

/** Returns the request as a fixture stores it. */
export function recordedRequest({ method, path, base, query, headers, body, next }: SkillRequest): RecordedRequest {
  return {
    method,
    path,
    ...(base !== undefined && { base }),
    query,
    headers,
    ...(body !== undefined && { body }),
    ...(next !== undefined && { next }),
  }
}

/** Makes a host that answers from a fixture and records what was sent. */
export function replay({ exchanges }: Fixture): { readonly host: HandlerHost; readonly sent: RecordedRequest[] } {
  const sent: RecordedRequest[] = []
  const host = withHandling({
    key: 'fixture-call-key',
    fields: {},
    send: async (request: SkillRequest): Promise<SendResult> => {
      const exchange = exchanges[sent.push(recordedRequest(request)) - 1]
      if (!exchange) return { effect: 'not_sent', code: 'network', message: 'The fixture has no more answers.' }
      return { effect: 'done', answer: exchange.answer }
    },
  })
  return { host, sent }
}
