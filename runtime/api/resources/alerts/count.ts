import { TtlCache } from '../../../caches/index.ts'
import type { Scope } from '../../../domain/index.ts'
import type { Slots } from '../../../fairness/index.ts'
import { Type } from '../../../schema/index.ts'
import type { AlertConditions, AlertPosition, Store } from '../../../storage/index.ts'
import { callerOf, ownerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { countAge, examinedAtOnce, mostExamined } from '../../limits.ts'
import { operation } from '../../operation.ts'
import { alertFilters, conditionsOf } from './conditions.ts'

const CountSchema = Type.Object({
  count: Type.Integer({ description: 'How many alerts match.' }),
  exact: Type.Boolean({ description: `false: at least as many match. Only the newest ${mostExamined} alerts were looked at.` }),
})

interface Count {
  readonly count: number
  readonly exact: boolean
}

const mostCounts = 500

export function alertCountRoute(app: Api, context: ApiContext, searches: Slots): void {
  const { store, clock } = context.services
  const counts = new TtlCache<Count>(clock, countAge, mostCounts)
  app.get(
    '/platformapi/alerts/count',
    operation(
      context,
      {
        id: 'countAlerts',
        tag: 'alerts',
        summary: 'Count alerts',
        description: `The filters are those of the list. The count may be ${countAge / 1000} seconds old.`,
        permission: 'alerts:read',
        errors: ['organization_unknown', 'alert_unknown', 'case_unknown'],
      },
      { querystring: Type.Object(alertFilters), response: { 200: CountSchema } },
    ),
    async (request) => {
      const { scope, principal } = callerOf(request)
      const owner = ownerOf(principal)
      const conditions = await conditionsOf(store, scope, request.query)
      return counts.get(JSON.stringify([scope.organizations, conditions]), async () => {
        const release = await searches.take(owner)
        try {
          return await countIn(store, scope, conditions)
        } finally {
          release()
        }
      })
    },
  )
}

/** Counts in steps, so that other reads of the store go on in between. */
async function countIn(store: Store, scope: Scope, conditions: AlertConditions): Promise<Count> {
  let count = 0
  let after: AlertPosition | null = null
  for (let examined = 0; examined < mostExamined; examined += examinedAtOnce) {
    const { matching, next } = await store.alerts.tally(scope, conditions, after, examinedAtOnce)
    count += matching
    if (next === null) return { count, exact: true }
    after = next
  }
  return { count, exact: false }
}
