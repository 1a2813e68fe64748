import { TocsinError } from '../../../errors/index.ts'
import { Type } from '../../../schema/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { readinessLog } from './readiness-log.ts'

/** Adds `GET /healthz` (the process is alive) and `GET /readyz` (it reaches its store). Both need no key. */
export function healthRoutes(app: Api, context: ApiContext): void {
  const { logger, ready } = context.services
  const note = readinessLog(logger)

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
      const checks = await ready()
      note(checks)
      const failed = checks.filter((check) => !check.ok)
      if (failed.length > 0) {
        const reasons = failed.flatMap(({ why }) => (why === undefined ? [] : [` ${why}`]))
        throw new TocsinError('not_ready', `Does not answer: ${failed.map(({ name }) => name).join(', ')}.${reasons.join('')}`)
      }
      return { status: 'ready' as const, checks: checks.map((check) => check.name) }
    },
  )
}
