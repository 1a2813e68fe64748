import type { Handler } from '@tocsin/plugin'

export default (async ({ input, http, path }) => {
  for (const number of [0, 1, 2]) await http.post(path`/stamps/${`${input.name}-${number}`}`, { number })
  return { stamped: 3 }
}) satisfies Handler<{ readonly name: string }>
