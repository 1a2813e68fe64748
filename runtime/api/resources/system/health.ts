import type { Millis } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { Type } from '../../../schema/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import type { ReadyCheck } from '../../services.ts'

/** A check that takes longer than this has failed. */
const patience: Millis = 5_000

/** Adds `GET /healthz` (the process is alive) and `GET /readyz` (it reaches its store). Both need no key. */
export function healthRoutes(app: Api, context: ApiContext): void {
  const { clock, ready } = context.services

  app.get(
    '/healthz',
    operation(
      context,
      { id: 'health', tag: 'service', summary: 'Whether the process is alive', permission: null },
      { querystring: Type.Object({}), response: { 200: Type.Object({ status: Type.Literal('ok') }) } },
    ),
    async () => ({ status: 'ok' as const }),
  )

  app.get(
    '/readyz',
    operation(
      context,
      { id: 'ready', tag: 'service', summary: 'Whether the store and the queue answer', permission: null, errors: ['not_ready'] },
      {
        querystring: Type.Object({}),
        response: {
          200: Type.Object({ status: Type.Literal('ready'), checks: Type.Array(Type.String(), { description: 'The parts that were checked.' }) }),
        },
      },
    ),
    async () => {
      const checks = await inTime()
      const failed = checks.filter((check) => !check.ok)
      if (failed.length > 0) {
        const reasons = failed.flatMap(({ why }) => (why === undefined ? [] : [` ${why}`]))
        throw new TocsinError('not_ready', `Does not answer: ${failed.map(({ name }) => name).join(', ')}.${reasons.join('')}`)
      }
      return { status: 'ready' as const, checks: checks.map((check) => check.name) }
    },
  )

  function inTime(): Promise<readonly ReadyCheck[]> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(patience, () => resolve([{ name: `a check within ${patience / 1000} s`, ok: false }]))
      ready().then(resolve, reject).finally(cancel)
    })
  }
}
