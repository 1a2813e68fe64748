import type { Handler } from '@tocsin/plugin'
import { isFieldError } from '../lib/fewer-fields.ts'
import { type Caller, type CrmRecord, countIn, OddAnswer, oddAnswer, runQuery, textIn } from '../lib/query.ts'
import { select } from '../lib/soql.ts'

interface Input {
  readonly interval?: string
}

/** How many files are read if the platform does not group them. */
const mostFiles = 100_000
/** A grouped result has only one page. */
const mostTypes = 2_000

export default (async ({ input, http, log, fail }) => {
  const where = input.interval === undefined ? [] : [`Interval = '${input.interval}'`]
  const { counts, truncated } = await counted({ http, log }, where)
    .catch((error: unknown) => {
      // API versions before 37.0 have only daily files, and no column Interval.
      if (input.interval !== 'Daily' || !isFieldError(error)) throw error
      return counted({ http, log }, [])
    })
    .catch((error: unknown) => {
      if (error instanceof OddAnswer) fail(oddAnswer, error.message)
      throw error
    })
  const types = [...counts].map(([event_type, files]) => ({ event_type, files }))
  return { event_types: types.sort((a, b) => (a.event_type < b.event_type ? -1 : 1)), truncated }
}) satisfies Handler<Input>

interface Counted {
  readonly counts: ReadonlyMap<string, number>
  readonly truncated: boolean
}

async function counted(call: Caller, where: readonly string[]): Promise<Counted> {
  const together = await grouped(call, where).catch((error: unknown) => {
    if (isFieldError(error)) return null
    throw error
  })
  if (together) return together
  call.log.info('cannot group by type; reading the files one by one')
  return oneByOne(call, where)
}

/** Returns null if the platform did not group them and returned files, or no numbers. */
async function grouped(call: Caller, where: readonly string[]): Promise<Counted | null> {
  const soql = select({ fields: ['EventType', 'COUNT(Id) files'], from: 'EventLogFile', where, groupBy: 'EventType' })
  const { records, truncated } = await runQuery(call, soql, mostTypes)
  const counted = records.map((record) => [typeOf(record), record['files'] ?? record['expr0']] as const)
  if (new Set(counted.map(([type]) => type)).size < counted.length) return null
  const counts = counted.flatMap(([type, files]) => {
    const count = countIn(files)
    return count === null ? [] : [[type, count] as const]
  })
  return counts.length === counted.length ? { counts: new Map(counts), truncated } : null
}

async function oneByOne(call: Caller, where: readonly string[]): Promise<Counted> {
  const { records, truncated } = await runQuery(call, select({ fields: ['EventType'], from: 'EventLogFile', where }), mostFiles)
  const counts = new Map<string, number>()
  for (const record of records) counts.set(typeOf(record), (counts.get(typeOf(record)) ?? 0) + 1)
  return { counts, truncated }
}

function typeOf(record: CrmRecord): string {
  return textIn(record, 'EventType')
}
