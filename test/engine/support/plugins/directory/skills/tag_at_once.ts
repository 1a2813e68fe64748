import type { Handler } from '@tocsin/plugin'

/** Sends all requests at once, and waits for the answers or not. */
export default (async ({ input, http, path, call }) => {
  const asked = input.users.map((user) => http.post(path`/users/${user}/tags`, { at: call.now }))
  if (!input.wait) return { asked: asked.length }
  await Promise.all(asked)
  return { asked: asked.length }
}) satisfies Handler<{ readonly users: readonly string[]; readonly wait: boolean }>
