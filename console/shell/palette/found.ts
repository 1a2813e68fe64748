import { queryOptions } from '@tanstack/react-query'
import type { PageView } from '../../../runtime/api/index.ts'
import { ask } from '../../api/ask.ts'
import { Refused } from '../../api/refused.ts'
import { addressOf } from '../../shared/links.tsx'

/** Something that the palette leads to. */
export interface Found {
  readonly id: string
  readonly name: string
  /** More about it, if the name alone does not tell. */
  readonly about: string
  readonly to: string
}

export interface FoundGroup {
  readonly group: 'Alerts' | 'Cases' | 'Decisions' | 'Runs' | 'Playbooks' | 'Connections' | 'People' | 'Organizations' | 'API keys'
  readonly found: readonly Found[]
  /** Whether the text is the id of the first one. */
  readonly exact?: boolean
  /** What was searched. Absent: everything. */
  readonly among?: string
}

/** The most entries of each group. */
export const most = 5
/** How long an answer is used again while somebody types, in milliseconds. */
export const fresh = 30_000

interface AlertItem {
  readonly alert_id: string
  readonly alert_name: string
}
interface CaseItem {
  readonly case_id: string
  readonly title: string
  readonly merged_into: { readonly case_id: string } | null
}

/** Reads one page of a list of the API. */
const read = <Item>(path: string, signal: AbortSignal): Promise<readonly Item[]> =>
  ask<PageView<Item>>('GET', `/platformapi/${path}`, undefined, signal).then(({ items }) => items)

/** Reads one object by its id. Null: there is none. */
async function one<Item>(path: string, signal: AbortSignal): Promise<Item | null> {
  try {
    return await ask<Item>('GET', `/platformapi/${path}`, undefined, signal)
  } catch (error) {
    if (error instanceof Refused && error.problem.status === 404) return null
    throw error
  }
}

const looksLikeAlert = /^\S+-\S+-\d+$/
const looksLikeRun = /^[0-9a-f-]{36}-r\d+(?:-u\d+)?$/

const alertFound = ({ alert_id, alert_name }: AlertItem): Found => ({
  id: alert_id,
  name: alert_id,
  about: alert_name,
  to: addressOf.alert(alert_id),
})

/** The alerts with this id, or whose content has words that begin like this. */
export const alertsLike = (text: string) =>
  queryOptions({
    queryKey: ['palette', 'a', text],
    staleTime: fresh,
    queryFn: async ({ signal }): Promise<FoundGroup> => {
      const named = looksLikeAlert.test(text) ? await one<AlertItem>(`alerts/${encodeURIComponent(text)}`, signal) : null
      if (named) return { group: 'Alerts', found: [alertFound(named)], exact: true }
      const query = new URLSearchParams({ q: text, limit: String(most), sort: '-created_at' })
      return { group: 'Alerts', found: (await read<AlertItem>(`alerts?${query}`, signal)).map(alertFound) }
    },
  })

const looksLikeCase = /^\S+-\d+$/
const caseFound = ({ case_id: id, title, merged_into: into }: CaseItem): Found => ({
  id,
  name: id,
  about: into === null ? title : `merged, ${into.case_id} continues it: ${title}`,
  to: addressOf.case(id),
})

/** The case with this id, or those whose id, title or verdict has these words. */
export const casesLike = (text: string) =>
  queryOptions({
    queryKey: ['palette', 'c', text],
    staleTime: fresh,
    queryFn: async ({ signal }): Promise<FoundGroup> => {
      const named = looksLikeCase.test(text) ? await one<CaseItem>(`cases/${encodeURIComponent(text)}`, signal) : null
      if (named) return { group: 'Cases', found: [caseFound(named)], exact: true }
      const query = new URLSearchParams({ q: text, limit: String(most) })
      return { group: 'Cases', found: (await read<CaseItem>(`cases?${query}`, signal)).map(caseFound) }
    },
  })

/** A person, by the name under which cases are assigned. */
export const personFound = (name: string): Found => ({
  id: `person ${name}`,
  name,
  about: 'their cases',
  to: `/cases?${new URLSearchParams({ assignee: name })}`,
})

/** The people who may read cases, by words of their names. */
export const peopleLike = (text: string) =>
  queryOptions({
    queryKey: ['palette', 'p', text],
    staleTime: fresh,
    queryFn: async ({ signal }): Promise<FoundGroup> => {
      const people = await read<{ readonly name: string }>(`people?${new URLSearchParams({ q: text })}`, signal)
      return { group: 'People', found: people.map(({ name }) => personFound(name)).slice(0, most) }
    },
  })

/** The run with this id. */
export const runCalled = (text: string) =>
  queryOptions({
    queryKey: ['palette', 'r', text],
    staleTime: fresh,
    queryFn: async ({ signal }): Promise<FoundGroup> => {
      const found = looksLikeRun.test(text) ? await one<{ readonly run_id: string }>(`runs/${encodeURIComponent(text)}`, signal) : null
      return { group: 'Runs', found: found ? [{ id: found.run_id, name: found.run_id, about: '', to: addressOf.run(found.run_id) }] : [] }
    },
  })
