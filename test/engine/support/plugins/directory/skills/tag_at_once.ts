import type { Handler } from '@tocsin/plugin'

/** Sends all requests at once. Waits for the answers only if the input says so. */
export default (async ({ input, http, path, call }) => {
  const asked = input.users.map((user) => http.post(path`/users/${user}/tags`, { at: call.now }))
  if (!input.wait) return { asked: asked.length }
  await Promise.all(asked)
  return { asked: asked.length }
}) satisfies Handler<{ readonly users: readonly string[]; readonly wait: boolean }>
