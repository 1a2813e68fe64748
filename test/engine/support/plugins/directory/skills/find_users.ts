import type { Handler } from '@tocsin/plugin'

export default (async ({ http, sleep, path, call }) => {
  const { body: job } = await http.post<{ readonly id: string }>('/searches', { key: call.key, at: call.now })
  for (let waited = 0; ; waited += 1) {
    const { body } = await http.get<{ readonly done: boolean; readonly users: readonly string[] }>(path`/searches/${job.id}`)
    if (body.done) return { users: body.users, waited }
    await sleep(60_000)
  }
}) satisfies Handler
