import type { Handler } from '@tocsin/plugin'
import { latestOf, releaseOf, type Version } from '../lib/release.ts'

/** The list of versions is asked for anew, even where the connection is kept at one; it needs no token. */
export default (async ({ http, fail }) => {
  const { body } = await http.get<readonly Version[]>('/services/data/', { base: 'origin', auth: 'none' })
  const latest = Array.isArray(body) ? latestOf(body as readonly Version[]) : null
  return releaseOf(latest ?? fail('no_versions', ''))
}) satisfies Handler
