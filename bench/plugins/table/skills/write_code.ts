import type { Handler } from '@tocsin/plugin'

export default (async ({ input, http, path }) => {
  await http.put(path`/things/${input.id}`, { status: 'done' })
  return { id: input.id, updated: true }
}) satisfies Handler<{ readonly id: string }>
