import type { Handler } from '@tocsin/plugin'

export default (async ({ input, http, path, log, sleep }) => {
  const { body } = await http.get<{ readonly count: number }>(path`/plans/${input.name}`)
  const stamp = (number: number): Promise<unknown> => http.post(path`/stamps/${input.name}/${number}`, { number })
  for (let number = 0; number < body.count - 2; number += 1) {
    await stamp(number)
    log.info('stamped', { number })
    if (number === 0 && input.rest > 0) await sleep(input.rest)
  }
  await Promise.all([stamp(body.count - 2), stamp(body.count - 1)])
  return { stamped: body.count }
}) satisfies Handler<{ readonly name: string; readonly rest: number }>
