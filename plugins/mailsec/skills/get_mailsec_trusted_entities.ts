import type { CallError, Handler, Json } from '@tocsin/plugin'

interface Input {
  readonly entity_id?: string
  readonly kind?: string
  readonly value?: string
  readonly enabled?: boolean
  readonly max_items: number
  readonly max_history: number
}

type Entity = Readonly<Record<string, Json>>

const largestPage = 100
const noHistory = ['not_found', 'endpoint_not_found']

/** Returns one entity with its history, or the entities that match the filters. */
export default (async ({ input, http, path, log }) => {
  const { entity_id, kind, value, enabled, max_items, max_history } = input
  const paginate = 'manifest'
  if (entity_id === undefined) {
    // Request one more than wanted, to see whether there are more.
    const query = { kind, value, enabled, limit: Math.min(max_items + 1, largestPage) }
    const found = await http.getAll<Entity>('/trusted-entities', { query, paginate, max: max_items + 1 })
    return { entities: found.slice(0, max_items), truncated: found.length > max_items }
  }
  const entity = (await http.get<Entity>(path`/trusted-entities/${entity_id}`)).body
  if (max_history === 0) return { entities: [entity], truncated: false }
  if (Array.isArray(entity['history'])) return { entities: [{ ...entity, history: entity['history'].slice(0, max_history) }], truncated: false }
  const query = { limit: Math.min(max_history, largestPage) }
  const history = await http
    .getAll(path`/trusted-entities/${entity_id}/history`, { query, paginate, max: max_history })
    .catch((error: Partial<CallError>) => {
      // The entity exists, so the platform just does not give its history.
      if (!noHistory.includes(error.code ?? '')) throw error
      log.info('the platform gives no history', { entity: entity_id })
      return null
    })
  return { entities: [{ ...entity, history }], truncated: false }
}) satisfies Handler<Input>
