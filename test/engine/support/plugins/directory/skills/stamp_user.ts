import type { Handler } from '@tocsin/plugin'

export default (async ({ input: { user }, http, path }) => {
  await http.post(path`/users/${user}/stamp`, {})
  await http.post(path`/users/${user}/seal`, {})
  return { state: 'sealed' }
}) satisfies Handler<{ readonly user: string }>
