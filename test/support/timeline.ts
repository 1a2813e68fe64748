import type { CaseUuid, Scope, TimelineEntry } from '../../runtime/domain/index.ts'
import type { Store } from '../../runtime/storage/index.ts'

/** Returns every timeline entry of a case, in order. */
export async function wholeTimeline({ cases }: Pick<Store, 'cases'>, scope: Scope, uuid: CaseUuid): Promise<readonly TimelineEntry[]> {
  const parts: TimelineEntry[][] = []
  let before = null
  do {
    const { entries, earlier } = await cases.timeline(scope, uuid, { before, limit: 1_000, characters: Number.MAX_SAFE_INTEGER })
    parts.unshift([...entries])
    before = earlier
  } while (before)
  return parts.flat()
}
