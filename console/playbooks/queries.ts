import { queryOptions } from '@tanstack/react-query'
import type {
  ActivatedPlaybooksView,
  ActivePlaybookView,
  LintedPlaybookView,
  PageView,
  PlaybookGraphView,
  PlaybookLanguageView,
  PlaybookTemplateView,
  PlaybookUseView,
  PlaybookView,
  StatisticsView,
} from '../../runtime/api/index.ts'
import { ask, look } from '../api/ask.ts'
import { slowRhythm } from '../api/rhythm.ts'

/** Where a playbook is active: an alert type or the name of a sub-playbook, of one organization or shared. */
export interface Place {
  readonly key: string
  readonly kind: PlaybookView['kind']
  /** Null: shared. */
  readonly organization: string | null
}

/** The query of a place: `?organization=ACME`. */
export function queryOf({ kind, organization }: Omit<Place, 'key'>): string {
  const query = new URLSearchParams()
  if (kind === 'sub_playbook') query.set('kind', kind)
  if (organization !== null) query.set('organization', organization)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

const pathOf = ({ key }: Place, rest = ''): string => `/platformapi/playbooks/${encodeURIComponent(key)}${rest}`

export const activePlaybooks = queryOptions({
  queryKey: ['playbooks'],
  queryFn: ({ signal }) => ask<PageView<PlaybookView>>('GET', '/platformapi/playbooks', undefined, signal),
  refetchInterval: slowRhythm,
})

/** The runs of each playbook in the last seven days. */
export const runFigures = queryOptions({
  queryKey: ['statistics', 'of playbooks'],
  queryFn: ({ signal }) => ask<StatisticsView>('GET', '/platformapi/statistics?hours=168', undefined, signal),
  refetchInterval: slowRhythm,
})

export function onePlaybook(place: Place) {
  return queryOptions({
    queryKey: ['playbook', place.key, place],
    queryFn: ({ signal }) => ask<ActivePlaybookView>('GET', `${pathOf(place)}${queryOf(place)}`, undefined, signal),
    refetchInterval: slowRhythm,
  })
}

export function historyOf(place: Place) {
  return queryOptions({
    queryKey: ['playbook', place.key, 'history', place],
    queryFn: ({ signal }) =>
      ask<PageView<PlaybookView>>('GET', `${pathOf(place, '/history')}${withMore(queryOf(place), 'limit=200')}`, undefined, signal),
  })
}

export function usesOf(place: Place) {
  return queryOptions({
    queryKey: ['playbook', place.key, 'uses', place],
    queryFn: ({ signal }) =>
      ask<PageView<PlaybookUseView>>('GET', `${pathOf(place, '/organizations')}${withMore(queryOf(place), 'limit=100')}`, undefined, signal),
  })
}

export function versionText(digest: string) {
  return queryOptions({
    queryKey: ['playbook version', digest],
    queryFn: ({ signal }) => ask<{ readonly text: string }>('GET', `/platformapi/playbook-versions/${digest}`, undefined, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function linted(text: string, organization: string | null) {
  return queryOptions({
    queryKey: ['lint', organization, text],
    queryFn: async ({ signal }) => {
      const body = { text, ...(organization !== null && { organization_code: organization }) }
      return { text, ...(await look<LintedPlaybookView>('/platformapi/playbooks/lint', body, signal)) }
    },
    staleTime: slowRhythm,
    gcTime: slowRhythm,
  })
}

interface DrawnView {
  /** Null: the text does not compile. */
  readonly graph: PlaybookGraphView | null
}

/** The graph of a text that is or was active, with the sub-playbooks that are active now. */
export function graphOfVersion(digest: string, organization: string | null) {
  return queryOptions({
    queryKey: ['playbooks', 'graph', digest, organization],
    queryFn: ({ signal }) =>
      ask<DrawnView>('GET', `/platformapi/playbook-versions/${digest}/graph${queryOf({ kind: 'playbook', organization })}`, undefined, signal),
  })
}

/** The graph of a text that somebody edits. */
export function graphOfText(text: string, organization: string | null) {
  return queryOptions({
    queryKey: ['graph of a text', organization, text],
    queryFn: ({ signal }) =>
      look<DrawnView>('/platformapi/playbooks/graph', { text, ...(organization !== null && { organization_code: organization }) }, signal),
    staleTime: slowRhythm,
    gcTime: slowRhythm,
  })
}

export const templates = queryOptions({
  queryKey: ['playbook templates'],
  queryFn: ({ signal }) => ask<{ readonly items: readonly PlaybookTemplateView[] }>('GET', '/platformapi/playbook-templates', undefined, signal),
  staleTime: Number.POSITIVE_INFINITY,
})

export const language = queryOptions({
  queryKey: ['playbook language'],
  queryFn: ({ signal }) => ask<PlaybookLanguageView>('GET', '/platformapi/playbook-language', undefined, signal),
  staleTime: 300_000,
})

interface Activation {
  readonly text: string
  readonly organization: string | null
  /** The revision that each place must have, by key. */
  readonly revisions: Readonly<Record<string, number>>
  readonly check: boolean
}

export function activate({ text, organization, revisions, check }: Activation): Promise<ActivatedPlaybooksView> {
  const body = { playbooks: [{ text, file: 'playbook.yaml' }], organization_code: organization, revisions, check }
  return check ? look('/platformapi/playbooks', body) : ask('POST', '/platformapi/playbooks', body)
}

export function rollBack(place: Place, digest: string, revision: number): Promise<ActivatedPlaybooksView> {
  return ask('POST', pathOf(place, '/rollback'), { digest, kind: place.kind, organization_code: place.organization, revision })
}

export function withdraw(place: Place, revision: number): Promise<void> {
  return ask('DELETE', `${pathOf(place)}${withMore(queryOf(place), `revision=${revision}`)}`)
}

function withMore(query: string, more: string): string {
  return `${query}${query === '' ? '?' : '&'}${more}`
}
