import type { Reply } from '../faults.ts'
import type { SimulatedRequest } from '../server.ts'
import type { Company } from './company.ts'
import { pageOf, pagingNames } from './paging.ts'
import type { Kind, Records } from './records.ts'
import { badRequest, forbidden, json, noSuchEndpoint, notFound, unsupportedType } from './replies.ts'
import { booleans, detectionTypes, type Level, severities } from './vocabulary.ts'
import { appFields, changeOf, detectionFields, employeeFields } from './writes.ts'

export interface Call {
  readonly request: SimulatedRequest
  readonly company: Company
  readonly level: Level
  /** The decoded path segments below the API's path. */
  readonly segments: readonly string[]
  readonly query: URLSearchParams
  /** Refuses unknown or empty query parameters. Otherwise they are ignored. */
  readonly strict: boolean
}

/** The values of a filter, and a function that says whether a record matches one. */
interface Filter<T> {
  readonly values?: readonly string[]
  readonly time?: true
  readonly fits: (record: T, value: string) => boolean
}

interface Resource<K extends Kind> {
  /** One record, in the words of messages. */
  readonly one: string
  readonly filters: Readonly<Record<string, Filter<Records[K]>>>
  /** The fields that a PATCH may set. Absent if there is no PATCH. */
  readonly patch?: Parameters<typeof changeOf>[1]
  readonly deletable?: true
}

const createdAfter = {
  creationTimestampAfter: { time: true, fits: (record: { creationTimestamp: number }, value: string) => record.creationTimestamp > Number(value) },
} as const

const resources: { readonly [K in Kind]: Resource<K> } = {
  accounts: {
    one: 'account',
    filters: {
      email: { fits: (account, value) => account.email.includes(value.toLowerCase()) },
      appType: { fits: (account, value) => account.appType === value },
      employeeId: { fits: (account, value) => account.employeeId === value },
      passwordId: { fits: (account, value) => account.passwordId === value },
      lastUsedTimestampAfter: { time: true, fits: (account, value) => account.lastUsedTimestamp > Number(value) },
      lastUsedTimestampBefore: { time: true, fits: (account, value) => account.lastUsedTimestamp < Number(value) },
    },
    deletable: true,
  },
  employees: { one: 'employee', filters: {}, patch: employeeFields },
  apps: { one: 'app', filters: createdAfter, patch: appFields },
  browsers: {
    one: 'browser',
    filters: { lastOnlineTimestampAfter: { time: true, fits: (browser, value) => browser.lastOnlineTimestamp > Number(value) } },
  },
  findings: { one: 'finding', filters: createdAfter },
  detections: {
    one: 'detection',
    filters: {
      ...createdAfter,
      severity: { values: severities, fits: (detection, value) => detection.severity === value },
      detectionType: { values: detectionTypes, fits: (detection, value) => detection.detectionType === value },
      archived: { values: booleans, fits: (detection, value) => String(detection.archived) === value },
    },
    patch: detectionFields,
  },
}

/** Returns the answer to a request with a valid key. */
export function route(call: Call): Reply {
  const [kind = '', id, ...rest] = call.segments
  if (!Object.hasOwn(resources, kind) || rest.length > 0) return noSuchEndpoint
  return id === undefined ? listing(kind as Kind, call) : record(kind as Kind, id, call)
}

function listing<K extends Kind>(kind: K, { request, company, query: sent, strict }: Call): Reply {
  if (request.method !== 'GET') return noSuchEndpoint
  const { filters }: Resource<K> = resources[kind]
  const counts = ([name, value]: readonly [string, string]): boolean => value !== '' && (Object.hasOwn(filters, name) || pagingNames.includes(name))
  const query = strict ? sent : new URLSearchParams([...sent].filter(counts))
  const fault = queryFault(query, filters)
  if (fault !== null) return badRequest(fault)
  const asked = [...query].flatMap(([name, value]) => {
    const filter = filters[name]
    return filter ? [{ filter, value }] : []
  })
  const rows = company.list(kind).filter((row) => asked.every(({ filter, value }) => filter.fits(row, value)))
  return pageOf(rows, query, request.path)
}

function queryFault<T>(query: URLSearchParams, filters: Readonly<Record<string, Filter<T>>>): string | null {
  const seen = new Set<string>()
  for (const [name, value] of query) {
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined
    if (!filter && !pagingNames.includes(name)) return `The query parameter ${name} is unknown.`
    if (value === '') return `${name} is empty.`
    if (seen.has(name)) return `${name} is given twice.`
    if (filter?.values?.includes(value) === false) return `${name} must be one of ${filter.values.join(', ')}.`
    if (filter?.time && !/^\d{1,10}$/.test(value)) return `${name} must be a UNIX timestamp in seconds.`
    seen.add(name)
  }
  return null
}

function record<K extends Kind>(kind: K, id: string, { request, company, level, query, strict }: Call): Reply {
  const { one, patch, deletable }: Resource<K> = resources[kind]
  if (request.method === 'GET') {
    if (strict && query.size > 0) return badRequest('This takes no query parameters.')
    const found = company.find(kind, id)
    return found ? json(found) : notFound(one)
  }
  if (request.method === 'DELETE' && deletable) {
    if (level !== 'full_access') return forbidden
    return company.remove(kind, id) ? { status: 204, body: '', written: true } : notFound(one)
  }
  if (request.method !== 'PATCH' || !patch) return noSuchEndpoint
  if (level !== 'full_access') return forbidden
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) return unsupportedType
  if (!company.find(kind, id)) return notFound(one)
  const change = changeOf(request.body, patch)
  if (typeof change === 'string') return badRequest(change)
  const { ownerId } = change
  if (typeof ownerId === 'string' && !company.find('employees', ownerId)) return badRequest('ownerId is no employee.')
  return json(company.update(kind, id, change as Partial<Records[K]>), true)
}
