import type { CallError, Handler } from '@tocsin/plugin'

interface Input {
  readonly entity_id: string
}

/**
 * Deletes the entity. That it is gone is believed after an answer that says nothing else (204, an empty body, `deleted: true`). After any other
 * success the entity is looked for. A 404 may also come from a wrong address, so it is believed only when the listing of entities is there,
 * and no entity of this id.
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
  // The request was taken. That nobody can look does not make it fail.
  if (taken) return { entity_id, deleted: (await look().catch(() => null)) === 'gone' }
  const found = await look()
  if (found === 'stands') fail('entity_still_there', '')
  if (found === 'not_shown') fail('absence_not_shown', '')
  return { entity_id, deleted: true }
}) satisfies Handler<Input>

/** Whether an answer says that it is done, or nothing at all. */
function isPlain(answer: unknown): boolean {
  if (answer === '' || answer === null || answer === undefined || answer === true) return true
  if (typeof answer !== 'object') return false
  const { deleted, success, ok } = answer as Readonly<Record<string, unknown>>
  const said = [deleted, success, ok].filter((value) => value !== undefined && value !== null)
  return said.length > 0 ? said.every((value) => value === true || value === 'true' || value === 1) : Object.keys(answer).length === 0
}
