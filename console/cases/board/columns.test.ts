import { expect, test } from 'vitest'
import type { CaseView } from '../../../runtime/api/index.ts'
import { withCase } from './columns.ts'

const one = (case_id: string, status: CaseView['status']): CaseView => ({ case_id, status }) as CaseView
const column = (...ids: string[]) => ({ pages: [{ items: ids.map((id) => one(id, 'new')), next_cursor: null }], pageParams: [null] })
const idsOf = ({ pages }: ReturnType<typeof withCase>): string[][] => pages.map(({ items }) => items.map(({ case_id }) => case_id))

test('a case moves to the top of its new column, and leaves the others', () => {
  expect(idsOf(withCase(column('A-1', 'A-2'), 'contained', one('A-9', 'contained')))).toEqual([['A-9', 'A-1', 'A-2']])
  expect(idsOf(withCase(column('A-1', 'A-9'), 'new', one('A-9', 'contained')))).toEqual([['A-1']])
  expect(idsOf(withCase(column('A-1'), 'new', one('A-9', 'contained')))).toEqual([['A-1']])
})
