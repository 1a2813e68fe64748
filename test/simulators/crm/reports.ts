import type { Reply } from '../faults.ts'
import type { SimulatedRequest } from '../server.ts'
import { idOf } from './org/ids.ts'
import { json, methodNotAllowed, Refused } from './replies.ts'

type Cell = string | number

interface Report {
  readonly id: string
  readonly name: string
  readonly format: 'TABULAR' | 'SUMMARY' | 'MATRIX'
  readonly down: string | null
  readonly across: string | null
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** False if the report has more detail rows than an answer may have. */
  readonly whole: boolean
}

const cases: readonly (readonly Cell[])[] = Array.from({ length: 12 }, (_, index) => [
  `Suspicious sign-in ${index + 1}`,
  index % 4 === 3 ? 'Closed' : 'New',
  ['Low', 'Medium', 'High'][index % 3] ?? '',
  (index + 1) * 10,
])
const columns = ['SUBJECT', 'STATUS', 'PRIORITY', 'AGE']

/** One report of each form, and one that is cut short. */
const reports: readonly Report[] = [
  { id: idOf('00O', 1), name: 'Open cases', format: 'TABULAR', down: null, across: null, columns, rows: cases, whole: true },
  { id: idOf('00O', 2), name: 'Cases by status', format: 'SUMMARY', down: 'STATUS', across: null, columns, rows: cases, whole: true },
  {
    id: idOf('00O', 3),
    name: 'Cases by status and priority',
    format: 'MATRIX',
    down: 'STATUS',
    across: 'PRIORITY',
    columns,
    rows: cases,
    whole: true,
  },
  { id: idOf('00O', 4), name: 'All cases ever', format: 'TABULAR', down: null, across: null, columns, rows: cases, whole: false },
]

interface ReportCall {
  readonly request: SimulatedRequest
  readonly query: URLSearchParams
  /** `/services/data/v66.0` */
  readonly base: string
  /** The path segments after `analytics/reports`. */
  readonly segments: readonly string[]
}

/** Answers `analytics/reports`, one report, and its description. */
export function reportReply({ request, query, base, segments }: ReportCall): Reply {
  const [id, part, ...rest] = segments
  const { method } = request
  if (id === undefined) {
    if (method !== 'GET') throw methodNotAllowed(method, ['HEAD', 'GET'])
    return json(
      reports.map((report) => ({
        id: report.id,
        name: report.name,
        url: `${base}/analytics/reports/${report.id}`,
        describeUrl: `${base}/analytics/reports/${report.id}/describe`,
        instancesUrl: `${base}/analytics/reports/${report.id}/instances`,
      })),
    )
  }
  const report = reports.find((one) => one.id === id || one.id.slice(0, 15) === id)
  if (!report || rest.length > 0 || (part !== undefined && part !== 'describe')) {
    throw new Refused(404, 'NOT_FOUND', 'The data you’re trying to access is unavailable.')
  }
  if (part === 'describe')
    return json({ attributes: attributesOf(report, base), reportMetadata: metadataOf(report, []), reportExtendedMetadata: extendedOf(report) })
  if (method !== 'GET' && method !== 'POST') throw methodNotAllowed(method, ['HEAD', 'GET', 'POST'])
  const filters = method === 'POST' ? filtersIn(request) : []
  return json(run(report, detailsAsked(query), filters, base))
}

function detailsAsked(query: URLSearchParams): boolean {
  for (const name of query.keys())
    if (name !== 'includeDetails') throw new Refused(400, 'INVALID_QUERY_PARAMETER', `The query parameter ${name} is unknown`)
  const value = query.get('includeDetails') ?? 'false'
  if (value !== 'true' && value !== 'false') throw new Refused(400, 'BAD_REQUEST', 'includeDetails is true or false')
  return value === 'true'
}

interface Filter {
  readonly column: string
  readonly operator: 'equals' | 'contains'
  readonly value: string
}

function filtersIn({ headers, body }: SimulatedRequest): readonly Filter[] {
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    throw new Refused(415, 'UNSUPPORTED_MEDIA_TYPE', 'Content type is not supported')
  const bad = (message: string): Refused => new Refused(400, 'BAD_REQUEST', message)
  let value: { reportMetadata?: { reportFilters?: unknown } } | null
  try {
    value = body === '' ? {} : JSON.parse(body)
  } catch {
    throw new Refused(400, 'JSON_PARSER_ERROR', 'Unexpected character or end of input')
  }
  const filters = value?.reportMetadata?.reportFilters ?? []
  if (!Array.isArray(filters)) throw bad('reportFilters is no list')
  return filters.map((filter: Partial<Filter> | null) => {
    const { column = '', operator, value: wanted } = filter ?? {}
    if (!columns.includes(column)) throw bad(`The filter column ${column} is unknown.`)
    if ((operator !== 'equals' && operator !== 'contains') || typeof wanted !== 'string') throw bad('The simulator filters by equals and contains.')
    return { column, operator, value: wanted }
  })
}

function run(report: Report, details: boolean, filters: readonly Filter[], base: string): object {
  const rows = report.rows.filter((row) =>
    filters.every(({ column, operator, value }) => {
      const cell = String(row[report.columns.indexOf(column)]).toLowerCase()
      return operator === 'equals' ? cell === value.toLowerCase() : cell.includes(value.toLowerCase())
    }),
  )
  const down = groupsOf(report, report.down, rows)
  const across = groupsOf(report, report.across, rows)
  const factMap: Record<string, object> = {}
  for (const d of [...down.keys(), 'T']) {
    for (const a of [...across.keys(), 'T']) {
      const inside = rows.filter((row) => within(report, report.down, row, down, d) && within(report, report.across, row, across, a))
      const leaf = (d !== 'T') === down.size > 0 && (a !== 'T') === across.size > 0
      factMap[`${d}!${a}`] = factOf(inside, details && leaf)
    }
  }
  return {
    attributes: attributesOf(report, base),
    allData: report.whole,
    factMap,
    groupingsDown: { groupings: groupings(down) },
    groupingsAcross: { groupings: groupings(across) },
    hasDetailRows: details,
    reportMetadata: metadataOf(report, filters),
    reportExtendedMetadata: extendedOf(report),
  }
}

function groupsOf(report: Report, column: string | null, rows: readonly (readonly Cell[])[]): ReadonlyMap<string, Cell> {
  if (column === null) return new Map()
  const values = [...new Set(rows.map((row) => row[report.columns.indexOf(column)] ?? ''))].sort()
  return new Map(values.map((value, index) => [String(index), value]))
}

function within(report: Report, column: string | null, row: readonly Cell[], groups: ReadonlyMap<string, Cell>, key: string): boolean {
  return key === 'T' || column === null || row[report.columns.indexOf(column)] === groups.get(key)
}

function groupings(groups: ReadonlyMap<string, Cell>): readonly object[] {
  return [...groups].map(([key, value]) => ({ key, label: String(value), value, groupings: [] }))
}

function factOf(rows: readonly (readonly Cell[])[], details: boolean): object {
  const aggregates = [{ label: String(rows.length), value: rows.length }]
  if (!details) return { aggregates }
  return { aggregates, rows: rows.map((row) => ({ dataCells: row.map((cell) => ({ label: String(cell), value: cell })) })) }
}

function attributesOf({ id, name }: Report, base: string): object {
  const url = `${base}/analytics/reports/${id}`
  return { type: 'Report', reportId: id, reportName: name, describeUrl: `${url}/describe`, instancesUrl: `${url}/instances` }
}

function metadataOf(report: Report, filters: readonly Filter[]): object {
  const { id, name, format, down, across } = report
  const grouping = (column: string | null): readonly object[] =>
    column === null ? [] : [{ name: column, sortOrder: 'Asc', dateGranularity: 'None' }]
  return {
    id,
    name,
    developerName: name.replaceAll(' ', '_'),
    reportFormat: format,
    reportType: { type: 'CaseList', label: 'Cases' },
    detailColumns: report.columns,
    aggregates: ['RowCount'],
    groupingsDown: grouping(down),
    groupingsAcross: grouping(across),
    reportFilters: filters,
    reportBooleanFilter: null,
    hasDetailRows: true,
    hasRecordCount: true,
    showGrandTotal: true,
    showSubtotals: true,
  }
}

function extendedOf(report: Report): object {
  const info = (column: string): [string, object] => [column, { label: column, dataType: column === 'AGE' ? 'int' : 'string' }]
  return {
    detailColumnInfo: Object.fromEntries(report.columns.map(info)),
    aggregateColumnInfo: { RowCount: { label: 'Record Count', dataType: 'int' } },
    groupingColumnInfo: Object.fromEntries([report.down, report.across].filter((column) => column !== null).map(info)),
  }
}
