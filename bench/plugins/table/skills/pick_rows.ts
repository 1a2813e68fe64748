import type { Handler, Json } from '@tocsin/plugin'

export default (async ({ input, stream, log }) => {
  let rows = 0
  const kept: Json[] = []
  for await (const batch of stream[input.format]('/table', { query: { megabytes: input.megabytes, format: input.format } })) {
    rows += batch.length
    for (const row of batch) if ((row as { readonly USER_ID?: string }).USER_ID === 'user-00000042' && kept.length < 100) kept.push(row)
  }
  log.info('read', { rows })
  return { rows, kept }
}) satisfies Handler<{ readonly megabytes: number; readonly format: 'csv' | 'jsonl' }>
