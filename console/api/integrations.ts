import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type {
  CheckedEntryView,
  ConnectionAnswer,
  ConnectionTestView,
  ConnectionUseView,
  IntegrationView,
  PageView,
  SkillPreviewView,
  SkillResultView,
  SkillView,
} from '../../runtime/api/index.ts'
import { ask, look } from './ask.ts'

/** How often the states of connections are refreshed, in milliseconds. Somebody else may change or test one. */
const rhythm = 15_000
/** The catalogue changes only if a plugin is loaded. */
const catalogueAge = 60_000
/** The most connections that the page shows. An organization has at most 100. */
const mostConnections = 1_000

export const connectionPath = (id: string): string => `/platformapi/connections/${encodeURIComponent(id)}`
const integrationPath = (id: string): string => `/platformapi/integrations/${encodeURIComponent(id)}`

export const integrationList = queryOptions({
  queryKey: ['integrations'],
  queryFn: ({ signal }) => ask<PageView<IntegrationView>>('GET', '/platformapi/integrations', undefined, signal),
  select: (page) => page.items,
  staleTime: catalogueAge,
})

export function skillsOf(integration: string) {
  return queryOptions({
    queryKey: ['integrations', integration, 'skills'],
    queryFn: ({ signal }) => ask<PageView<SkillView>>('GET', `${integrationPath(integration)}/skills`, undefined, signal),
    select: (page) => page.items,
    staleTime: catalogueAge,
  })
}

/** The connections of one integration, or of all of them. */
export function connectionList(integration: string | null) {
  const query = new URLSearchParams({ limit: String(mostConnections), ...(integration !== null && { integration }) })
  return queryOptions({
    queryKey: ['connections', integration],
    queryFn: ({ signal }) => ask<PageView<ConnectionAnswer>>('GET', `/platformapi/connections?${query}`, undefined, signal),
    refetchInterval: rhythm,
  })
}

export function usesOf(connection: string) {
  return infiniteQueryOptions({
    queryKey: ['connections', 'uses', connection],
    queryFn: ({ pageParam, signal }) =>
      ask<PageView<ConnectionUseView>>('GET', `${connectionPath(connection)}/uses${cursor(pageParam)}`, undefined, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
}

/** A run that has not ended, as far as this page shows it. */
export interface ConnectionRun {
  readonly run_id: string
  readonly case_id: string
  readonly playbook: string
  readonly state: string
  readonly organization_code: string
  readonly started_at: number
}

export function runsWith(connection: string) {
  return infiniteQueryOptions({
    queryKey: ['connections', 'runs', connection],
    queryFn: ({ pageParam, signal }) =>
      ask<PageView<ConnectionRun>>('GET', `${connectionPath(connection)}/runs${cursor(pageParam)}`, undefined, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
}

function cursor(position: string | null): string {
  return position === null ? '' : `?${new URLSearchParams({ cursor: position })}`
}

/** What a connection form holds so far, as the API checks it. */
export interface EntryBody {
  readonly connection?: string
  readonly credentials: Readonly<Record<string, string | number | boolean | null>>
  readonly paste?: string
  readonly role: string | null
}

export function checkEntry(integration: string, body: EntryBody, signal: AbortSignal): Promise<CheckedEntryView> {
  return look<CheckedEntryView>(`${integrationPath(integration)}/check`, body, signal)
}

export function createConnection(body: object): Promise<ConnectionAnswer> {
  return ask<ConnectionAnswer>('POST', '/platformapi/connections', body)
}

export function changeConnection(id: string, body: object): Promise<ConnectionAnswer> {
  return ask<ConnectionAnswer>('PATCH', connectionPath(id), body)
}

export function removeConnection(id: string): Promise<undefined> {
  return ask<undefined>('DELETE', connectionPath(id))
}

export function testConnection(id: string): Promise<ConnectionTestView> {
  return look<ConnectionTestView>(`${connectionPath(id)}/test`)
}

const skillPath = (connection: string, skill: string): string => `${connectionPath(connection)}/skills/${encodeURIComponent(skill)}`

export function previewSkill(connection: string, skill: string, input: object, signal?: AbortSignal): Promise<SkillPreviewView> {
  return look<SkillPreviewView>(`${skillPath(connection, skill)}/preview`, { input }, signal)
}

export function runSkill(connection: string, skill: string, input: object, revision: number): Promise<SkillResultView> {
  return ask<SkillResultView>('POST', skillPath(connection, skill), { input, revision })
}
