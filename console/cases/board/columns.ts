import type { InfiniteData } from '@tanstack/react-query'
import type { CaseView, PageView } from '../../../runtime/api/index.ts'

/** The pages of a column of the board that have been read. */
export type Column = InfiniteData<PageView<CaseView>>

/** Puts a case on top of the column of its new status, and takes it out of the others. */
export function withCase(column: Column, status: unknown, moved: CaseView): Column {
  const pages = column.pages.map((page) => ({ ...page, items: page.items.filter(({ case_id }) => case_id !== moved.case_id) }))
  const [first, ...others] = pages
  if (status !== moved.status || first === undefined) return { ...column, pages }
  return { ...column, pages: [{ ...first, items: [moved, ...first.items] }, ...others] }
}
