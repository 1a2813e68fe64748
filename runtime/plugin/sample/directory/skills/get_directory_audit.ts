import type { Handler } from '@tocsin/plugin'

/**
 * Runs in an isolate. It can use `http` (this connection's origins, authenticated by the host), but
 * no other network, no clock and no secrets.
 */
export default (async ({ input, http, stream, log }) => {
  const files = await http.getAll('/audit/files', { query: { since: input.since }, paginate: 'manifest' })
  const entries: Record<string, string>[] = []
  for (const file of files) {
    // Rows arrive in batches and are filtered at once, so that even a large file needs little memory.
    for await (const rows of stream.csv(`/audit/files/${file.id}/content`))
      entries.push(...rows.filter((row) => !input.user || row.user === input.user))
    log.info('file read', { file: file.id, kept: entries.length })
  }
  return { entries }
}) satisfies Handler
