import type { CallError, Handler } from '@tocsin/plugin'

interface Input {
  readonly entity_id: string
}

/**
 * Deletes the entity. A plain success (204, an empty body, `deleted: true`) means that it is gone. After any other success, we check whether the
 * entity still exists. A 404 may come from a wrong address. So it counts only if the list of entities can be read and the entity cannot.
 */
export default (async ({ input, http, path, fail }) => {
  const { entity_id } = input
  const address = path`/trusted-entities/${entity_id}`
  const { status, body: answer } = await http.delete<unknown>(address)
  const taken = status < 300
  if (status === 204 || (taken && status !== 202 && isPlain(answer))) return { entity_id, deleted: true }

  const look = async (): Promise<'gone' | 'stands' | 'not_shown'> => {
    const stands = await http.get(address).then(
      () => true,
      (error: Partial<CallError>) => {
        if (error.code !== 'not_found') throw error
        return false
      },
    )
    if (stands) return 'stands'
    const { body } = await http.get<{ readonly items?: unknown } | '' | null>('/trusted-entities', { query: { limit: 1 } })
    return typeof body === 'object' && body !== null && (Array.isArray(body.items) || body.items === null) ? 'gone' : 'not_shown'
  }
  // The platform accepted the deletion, so it counts as accepted even if the check fails.
  if (taken) return { entity_id, deleted: (await look().catch(() => null)) === 'gone' }
  const found = await look()
  if (found === 'stands') fail('entity_still_there', '')
  if (found === 'not_shown') fail('absence_not_shown', '')
  return { entity_id, deleted: true }
}) satisfies Handler<Input>

/** Returns whether an answer says only that the deletion is done, or says nothing. */
function isPlain(answer: unknown): boolean {
  if (answer === '' || answer === null || answer === undefined || answer === true) return true
  if (typeof answer !== 'object') return false
  const { deleted, success, ok } = answer as Readonly<Record<string, unknown>>
  const said = [deleted, success, ok].filter((value) => value !== undefined && value !== null)
  return said.length > 0 ? said.every((value) => value === true || value === 'true' || value === 1) : Object.keys(answer).length === 0
}
