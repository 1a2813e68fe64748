import type { Handler } from '@tocsin/plugin'

export default (async ({ input, http, path, sleep }) => {
  await http.post(path`/jobs/${input.name}`, {})
  for (let looks = 1; ; looks += 1) {
    const { body } = await http.get<{ readonly done: boolean }>(path`/jobs/${input.name}`)
    if (body.done) return { looks }
    await sleep(1_000)
  }
}) satisfies Handler<{ readonly name: string }>
