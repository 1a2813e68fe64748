import { TtlCache } from '../../../caches/index.ts'
import { type Millis, may } from '../../../domain/index.ts'
import { slotsFor } from '../../../fairness/index.ts'
import { Type } from '../../../schema/index.ts'
import { sendJson } from '../../answer/index.ts'
import { callerOf, ownerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { statisticsAge } from '../../limits.ts'
import { operation } from '../../operation.ts'
import { organizationIdsOf } from '../shared/index.ts'
import { gather, type Subject } from './gather.ts'
import { type Statistics, StatisticsSchema, statisticsView } from './view.ts'

const hour: Millis = 3_600_000
const mostHours = 168
const mostKept = 200

const Query = Type.Object({
  hours: Type.Integer({ minimum: 1, maximum: mostHours, default: 24, description: 'How far back, in hours.' }),
  organization: Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 50, description: 'Organization code; may be repeated.' })),
})

/** Adds `GET /platformapi/statistics`, the figures of dashboards. An answer may be some seconds old. */
export function statisticsRoutes(app: Api, context: ApiContext): void {
  const { store, clock, turns } = context.services
  app.addSchema(StatisticsSchema)
  // One at a time for each owner: the store reads thousands of alerts for it.
  const slots = slotsFor(1)
  const kept = new TtlCache<Statistics>(clock, statisticsAge, mostKept)
  app.get(
    '/platformapi/statistics',
    operation(
      context,
      {
        id: 'getStatistics',
        tag: 'statistics',
        summary: 'Figures about the alerts and runs of the last hours',
        description: `They may be ${statisticsAge / 1000} seconds old. They count what was created, or started, since then.`,
        permission: 'alerts:read',
        errors: ['organization_unknown'],
      },
      { querystring: Query, response: { 200: Type.Ref('Statistics#') } },
    ),
    async (request, reply) => {
      const { scope, principal } = callerOf(request)
      const owner = ownerOf(principal)
      const { hours, organization } = request.query
      const organizations = organization && (await organizationIdsOf(store, scope, organization, 'organization'))
      const runs = may(principal, 'runs:read')
      const statistics = await kept.get(JSON.stringify([scope.organizations, organizations, hours, runs]), async () => {
        const release = await slots.take(owner)
        try {
          const to = clock.now()
          const subject: Subject = { scope, organizations, from: to - hours * hour, to: to + 1, runs }
          return statisticsView(await gather(store.statistics, subject, turns, owner))
        } finally {
          release()
        }
      })
      return sendJson(reply, statistics, turns, owner)
    },
  )
}
