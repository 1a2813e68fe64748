import type { Reply } from '../faults.ts'
import type { SimulatedRequest } from '../server.ts'
import { Cursors, type Page } from './cursors.ts'
import { basicInfo, describe, globalDescribe } from './describe.ts'
import { csvOf, lengthOf } from './events/event-log.ts'
import { type Org, organizationId, runAs } from './org/org.ts'
import type { Row, Value } from './org/row.ts'
import { type ObjectType, objectNamed } from './org/schema.ts'
import { versionIn } from './org/versions.ts'
import { json, malformed, methodNotAllowed, noSuchResource, Refused } from './replies.ts'
import { reportReply } from './reports.ts'
import { create, external, type RecordCall, record } from './sobjects.ts'
import { evaluate, type Setting } from './soql/query.ts'

/** The behaviour of the org that tests can change. */
export interface Behaviour {
  /** The size of every event log file in bytes. Null: a fixed number of rows. */
  logSize: number | null
  /** The most records in a page, and the most children in a record. */
  batch: number
  childBatch: number
  /** The fields, `Object.Field`, that GROUP BY does not accept. */
  ungroupable: ReadonlySet<string>
}

export interface ApiCall {
  readonly request: SimulatedRequest
  /** The decoded path segments after `/services/data/`. */
  readonly segments: readonly string[]
  /** The server's address. */
  readonly url: string
}

/** The REST API of the org, for requests with a valid token. */
export class RestApi {
  readonly #org: Org
  readonly #cursors = new Cursors()
  readonly behaviour: Behaviour

  constructor(org: Org, behaviour: Behaviour) {
    this.#org = org
    this.behaviour = behaviour
  }

  answer({ request, segments: [first = '', ...segments], url }: ApiCall): Reply {
    const version = versionIn(first)
    const query = new URLSearchParams(request.query)
    const base = `/services/data/v${version}`
    const [resource, ...rest] = withoutTrailingSlash(segments)
    switch (resource) {
      case undefined:
        return this.#only(
          request,
          json({
            sobjects: `${base}/sobjects`,
            query: `${base}/query`,
            queryAll: `${base}/queryAll`,
            limits: `${base}/limits`,
            analytics: `${base}/analytics`,
            identity: `${url}/id/${organizationId}/${runAs}`,
          }),
        )
      case 'limits':
        if (rest.length > 0) throw noSuchResource()
        return this.#only(request, json(limits))
      case 'query':
      case 'queryAll':
        return this.#query(request, query, rest, version, resource === 'queryAll')
      case 'sobjects':
        return this.#sobjects(request, query, rest, version)
      case 'analytics':
        if (rest[0] !== 'reports') throw noSuchResource()
        return reportReply({ request, query, base, segments: rest.slice(1) })
      default:
        throw noSuchResource()
    }
  }

  #only({ method }: SimulatedRequest, reply: Reply): Reply {
    if (method !== 'GET') throw methodNotAllowed(method, ['HEAD', 'GET'])
    return reply
  }

  #query(request: SimulatedRequest, query: URLSearchParams, [locator, ...more]: readonly string[], version: string, deleted: boolean): Reply {
    if (request.method !== 'GET') throw methodNotAllowed(request.method, ['HEAD', 'GET'])
    if (more.length > 0) throw noSuchResource()
    if (locator !== undefined) {
      if (query.size > 0) throw malformed('A query locator is followed without parameters')
      return json(this.#cursors.next(locator, version))
    }
    const names = [...query.keys()]
    if (!names.includes('q') || query.get('q') === '') throw malformed('A query string has to be specified')
    if (names.length > 1) throw malformed(`The query parameter ${names.find((name) => name !== 'q') ?? 'q'} is not known here`)
    const found = evaluate(this.#setting(version, deleted), query.get('q') ?? '')
    if ('count' in found) return json({ totalSize: found.count, done: true, records: [] })
    const batch = batchIn(String(request.headers['sforce-query-options'] ?? ''), this.behaviour.batch)
    return json(this.#cursors.first(found.records, batch, version))
  }

  #setting(version: string, deleted: boolean): Setting {
    return {
      org: this.#org,
      deleted,
      ungroupable: this.behaviour.ungroupable,
      show: (object, row, field, value) => this.#shown(version, object, row, field, value),
      address: (object, id) => addressOf(version, object, id),
      children: (records): Page | null => (records.length === 0 ? null : this.#cursors.first(records, this.behaviour.childBatch, version)),
    }
  }

  /** Returns a field as answers show it. The content of a file is shown as its address. */
  #shown(version: string, object: ObjectType, row: Row, field: string, value: Value): Value {
    if (object.name !== 'EventLogFile') return value
    if (field === 'LogFile') return `${addressOf(version, object, String(row['Id']))}/LogFile`
    return field === 'LogFileLength' ? lengthOf(row, this.behaviour.logSize) : value
  }

  #sobjects(request: SimulatedRequest, query: URLSearchParams, [type, ...rest]: readonly string[], version: string): Reply {
    const base = `/services/data/v${version}`
    if (type === undefined) return this.#only(request, json(globalDescribe(base)))
    const object = objectNamed(type)
    if (!object) throw noSuchResource()
    const show = (kind: ObjectType, row: Row, fields: readonly string[] | null): object => ({
      attributes: { type: kind.name, url: addressOf(version, kind, String(row['Id'])) },
      ...Object.fromEntries(
        [...new Set(['Id', ...(fields ?? kind.fields.map(({ name }) => name))])].map((name) => [
          name,
          this.#shown(version, kind, row, name, row[name] ?? null),
        ]),
      ),
    })
    const call: RecordCall = { org: this.#org, request, query, object, version, show, address: (kind, id) => addressOf(version, kind, id) }
    const [first, second, ...more] = rest
    if (more.length > 0) throw noSuchResource()
    if (first === undefined) return request.method === 'POST' ? create(call) : this.#only(request, json(basicInfo(object, base)))
    if (first === 'describe' && second === undefined) return this.#only(request, json(describe(object, base)))
    if (second === undefined) return first === 'Id' && request.method === 'POST' ? create(call) : record(call, first)
    if (object.name === 'EventLogFile' && second === 'LogFile') return this.#logFile(call, first)
    return external(call, first, second)
  }

  #logFile(call: RecordCall, id: string): Reply {
    const shown = record({ ...call, query: new URLSearchParams() }, id)
    if (call.query.size > 0) throw new Refused(400, 'INVALID_QUERY_PARAMETER', 'This takes no query parameters')
    const found = this.#org.find(call.object, String((JSON.parse(shown.body) as { readonly Id: string }).Id))
    if (!found) throw noSuchResource()
    const { logSize } = this.behaviour
    return { status: 200, headers: { 'content-type': 'text/csv' }, body: '', chunks: () => csvOf(found, logSize) }
  }
}

function addressOf(version: string, object: ObjectType, id: string): string {
  return `/services/data/v${version}/sobjects/${object.name}/${id}`
}

/** Reads `batchSize=N`, a hint between 200 and the maximum. */
function batchIn(header: string, most: number): number {
  const asked = /(?:^|[,;\s])batchSize=(\d+)/i.exec(header)?.[1]
  return asked === undefined ? most : Math.min(Math.max(Number(asked), Math.min(200, most)), most)
}

function withoutTrailingSlash(segments: readonly string[]): readonly string[] {
  return segments.at(-1) === '' ? segments.slice(0, -1) : segments
}

const limits = {
  DailyApiRequests: { Max: 15_000, Remaining: 14_998 },
  DailyAsyncApexExecutions: { Max: 250_000, Remaining: 250_000 },
  ConcurrentSyncReportRuns: { Max: 20, Remaining: 20 },
  HourlySyncReportRuns: { Max: 500, Remaining: 500 },
}
