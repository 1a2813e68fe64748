import type { Handler } from '@tocsin/plugin'

export default (async ({ input, http, path }) => {
  for (const user of input.users) await http.post(path`/users/${user}/untag`, {})
  return {}
}) satisfies Handler<{ readonly users: readonly string[] }>
