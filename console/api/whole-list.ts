import type { PageView } from '../../runtime/api/index.ts'
import { ask } from './ask.ts'

/** The most items of a page that the API gives. */
const pageSize = 1_000

/**
 * Reads a list of the API to its end. Only for what people choose from, such as organizations: a list that stops in the middle hides choices.
 * @param path without `limit` and `cursor`
 */
export async function wholeList<Row>(path: string, signal?: AbortSignal): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (let cursor: string | null = null; ; ) {
    const query: URLSearchParams = new URLSearchParams({ limit: String(pageSize), ...(cursor !== null && { cursor }) })
    const page: PageView<Row> = await ask<PageView<Row>>('GET', `${path}?${query}`, undefined, signal)
    rows.push(...page.items)
    cursor = page.next_cursor
    if (cursor === null) return rows
  }
}
