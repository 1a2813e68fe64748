import { queryOptions } from '@tanstack/react-query'
import type {
  AlertDetailsView,
  AlertItemView,
  CaseDetailsView,
  ConnectionAnswer,
  DecisionView,
  MentionView,
  PageView,
  StatisticsView,
} from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { rhythm, slowRhythm } from '../api/rhythm.ts'

/** How many items a block of Home shows. */
const mostShown = 5
type CaseItem = Pick<CaseDetailsView, 'case_id' | 'title' | 'severity' | 'status' | 'created_at'>

function list<Item>(path: string, every: typeof rhythm | number) {
  return queryOptions({
    queryKey: ['home', path],
    queryFn: ({ signal }) => ask<PageView<Item>>('GET', `/platformapi/${path}`, undefined, signal),
    refetchInterval: every,
  })
}

const openCases = ['new', 'in_progress', 'analyst_pending', 'customer_pending', 'contained'].map((status) => `status=${status}`).join('&')

export const urgentDecisions = list<DecisionView>(`decisions?state=open&sort=deadline&limit=${mostShown}`, rhythm)
/** @param assignee `me` or `nobody` */
export const casesOf = (assignee: 'me' | 'nobody') =>
  list<CaseItem>(`cases?assignee=${assignee}&${openCases}&sort=-severity&limit=${mostShown}`, slowRhythm)
/** Comments that mention the person. */
export const mentions = list<MentionView>(`mentions?limit=${mostShown}`, rhythm)
/** Whether any alert has arrived. */
export const newestAlert = list<AlertItemView>('alerts?limit=1', rhythm)
export const failedAlerts = list<AlertItemView>(`alerts?status=Failed&limit=${mostShown}`, slowRhythm)
export const standingPauses = list<AlertDetailsView['pauses'][number]>('pauses?state=standing&limit=20', rhythm)
export const connections = list<ConnectionAnswer>('connections?limit=1000', slowRhythm)

export function statistics(hours: number) {
  return queryOptions({
    queryKey: ['statistics', hours],
    queryFn: ({ signal }) => ask<StatisticsView>('GET', `/platformapi/statistics?hours=${hours}`, undefined, signal),
    refetchInterval: slowRhythm,
    placeholderData: (before) => before,
  })
}
