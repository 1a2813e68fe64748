import type { Handler } from '@tocsin/plugin'

export default (async ({ input, http, path }) => {
  const { body } = await http.get<{ readonly tags: readonly string[] }>(path`/users/${input.user}/tags`)
  const tags = [...body.tags, input.tag]
  await http.put(path`/users/${input.user}/tags`, { tags })
  return { tags }
}) satisfies Handler<{ readonly user: string; readonly tag: string }>
