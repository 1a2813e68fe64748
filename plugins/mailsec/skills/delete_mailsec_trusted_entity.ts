import type { CallError, Handler } from '@tocsin/plugin'

interface Input {
  readonly entity_id: string
}

/**
 * Deletes the entity. A 404 may also come from a wrong address, so that an entity was not there is believed only when the listing of
 * entities is, and no entity of this id. A request that was only accepted is looked at once.
 */
export default (async ({ input, http, path, fail }) => {
  const { entity_id } = input
  const address = path`/trusted-entities/${entity_id}`
  const { status } = await http.delete(address)
  if (status < 300 && status !== 202) return { entity_id, deleted: true }

  const stands = await http.get(address).then(
    () => true,
    (error: Partial<CallError>) => {
      if (error.code !== 'not_found') throw error
      return false
    },
  )
  if (stands && status === 202) return { entity_id, deleted: false }
  if (stands) fail('entity_still_there', '')
  const { body } = await http.get<{ readonly items?: unknown }>('/trusted-entities', { query: { limit: 1 } })
  if (!Array.isArray(body.items) && body.items !== null) fail('absence_not_shown', '')
  return { entity_id, deleted: true }
}) satisfies Handler<Input>
