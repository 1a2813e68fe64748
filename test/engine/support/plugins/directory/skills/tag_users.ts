import type { Handler } from '@tocsin/plugin'

export default (async ({ input, http, path }) => {
  const tagged: string[] = []
  const refused: string[] = []
  const { body } = await http.get<{ readonly tag: string }>('/tag')
  for (const user of input.users) {
    try {
      await http.post(path`/users/${user}/tags`, { tag: body.tag })
      tagged.push(user)
    } catch (error) {
      if ((error as { code?: string }).code !== 'request_rejected') throw error
      refused.push(user)
    }
  }
  return { tagged, refused }
}) satisfies Handler<{ readonly users: readonly string[] }>
