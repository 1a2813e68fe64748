import type { CallError, Handler } from '@tocsin/plugin'
import { type Caller, type CrmRecord, runQuery } from '../lib/query.ts'
import { select } from '../lib/soql.ts'

interface Input {
  readonly interval?: string
}

/** Where the platform does not group them, so many files are looked at. */
const mostFiles = 100_000
/** A result that is grouped has one page. */
const mostTypes = 2_000

/** What the platform says where the type of a file cannot be grouped by. */
const notGrouped = ['malformed_query', 'invalid_field']

export default (async ({ input, http, log }) => {
  const where = input.interval === undefined ? [] : [`Interval = '${input.interval}'`]
  const { counts, truncated } = await grouped({ http, log }, where).catch((error: Partial<CallError>) => {
    if (!notGrouped.includes(error.code ?? '')) throw error
    log.info('types cannot be grouped, files are looked at one by one')
    return oneByOne({ http, log }, where)
  })
  const types = [...counts].map(([event_type, files]) => ({ event_type, files }))
  return { event_types: types.sort((a, b) => (a.event_type < b.event_type ? -1 : 1)), truncated }
}) satisfies Handler<Input>

interface Counted {
  readonly counts: ReadonlyMap<string, number>
  readonly truncated: boolean
}

async function grouped(call: Caller, where: readonly string[]): Promise<Counted> {
  const soql = select({ fields: ['EventType', 'COUNT(Id) files'], from: 'EventLogFile', where, groupBy: 'EventType' })
  const { records, truncated } = await runQuery(call, soql, mostTypes)
  return { counts: new Map(records.map((record) => [typeOf(record), Number(record['files'])])), truncated }
}

async function oneByOne(call: Caller, where: readonly string[]): Promise<Counted> {
  const { records, truncated } = await runQuery(call, select({ fields: ['EventType'], from: 'EventLogFile', where }), mostFiles)
  const counts = new Map<string, number>()
  for (const record of records) counts.set(typeOf(record), (counts.get(typeOf(record)) ?? 0) + 1)
  return { counts, truncated }
}

function typeOf(record: CrmRecord): string {
  return String(record['EventType'])
}
