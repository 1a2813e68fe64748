import type { CallError, Handler } from '@tocsin/plugin'

interface Input {
  readonly account_id: string
}

/**
 * Deletes the record. A 404 may also come from a wrong address, so that a record was not there is believed only when the listing of
 * accounts is, and no account of this id. A request that was only accepted is looked at once.
 */
export default (async ({ input, http, path, fail }) => {
  const { account_id } = input
  const address = path`/accounts/${account_id}`
  const { status } = await http.delete(address)
  if (status < 300 && status !== 202) return { account_id, deleted: true }

  const stands = await http.get(address).then(
    () => true,
    (error: Partial<CallError>) => {
      if (error.code !== 'not_found') throw error
      return false
    },
  )
  if (stands && status === 202) return { account_id, deleted: false }
  if (stands) fail('account_still_there', '')
  const { body } = await http.get<{ readonly result?: unknown }>('/accounts', { query: { limit: 1 } })
  if (!Array.isArray(body.result)) fail('absence_not_shown', '')
  return { account_id, deleted: true }
}) satisfies Handler<Input>
