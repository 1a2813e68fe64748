import { Type } from '../../../schema/index.ts'
import { callerOf, requireAllOrganizations } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'

/** Adds `GET /metrics`, which Prometheus reads. It is about all organizations, so it needs a key for all of them. */
export function metricsRoute(app: Api, context: ApiContext): void {
  const { metrics } = context.services
  app.get(
    '/metrics',
    operation(
      context,
      {
        id: 'getMetrics',
        tag: 'service',
        summary: 'Metrics of this process and of the installation, for Prometheus',
        description: 'Each process answers for itself. What it says about the store may be 10 seconds old.',
        permission: 'metrics:read',
        // Otherwise nobody could read that the store is down.
        withoutStore: true,
        errors: ['organization_forbidden'],
        answers: ['text/plain'],
      },
      { querystring: Type.Object({}) },
    ),
    async (request, reply) => {
      requireAllOrganizations(callerOf(request))
      const { type, text } = await metrics.read()
      return reply.header('content-type', type).send(text)
    },
  )
}
