import type { Json } from '../../../runtime/domain/index.ts'
import { callSkill, type SendResult, type SkillRequest } from '../../../runtime/plugin/index.ts'
import { withHandling } from '../../../runtime/plugin/testing.ts'
import type { Answer, Bench } from './harness.ts'

/** How an external system answers a request. @param number 1 for the first request of the run */
export type Reply = (request: SkillRequest, number: number) => SendResult | Promise<SendResult>

export const answered = (body: Json, status = 200): SendResult => ({
  effect: 'done',
  answer: { status, headers: { 'content-type': 'application/json' }, body },
})
export const notSent: SendResult = { effect: 'not_sent', code: 'network', message: 'nothing listens' }

/** Answers the requests of `directory.tag_users`, a handler that reads the tag and each user's tags before it writes them. */
export const fine = ({ path, method }: SkillRequest): SendResult =>
  path === '/tag' ? answered({ tag: 'vip' }) : answered(method === 'GET' ? { tags: ['a'] } : {})

/** Runs the skill's own handler, in an isolate, against an external system. @param sent gets the requests that it received */
export function handlerSystem(bench: Bench, sent: string[], reply: Reply): Answer {
  return ({ plugin, skill, input, key, acts, signal }) => {
    const send = async (request: SkillRequest): Promise<SendResult> => {
      const number = sent.push(`${request.method} ${request.path}${request.body === undefined ? '' : ` ${JSON.stringify(request.body)}`}`)
      return reply(request, number)
    }
    const host = withHandling({ key, fields: {}, send })
    return callSkill(plugin, skill, input, { ...host, ...(acts && { acts }), clock: bench.clock, timeout: 3_600_000, signal })
  }
}
