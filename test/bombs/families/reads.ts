import { type Answer, Refused, request } from '../../../runtime/cli/client.ts'
import type { Bomb } from '../bomb.ts'
import type { Charge } from '../charge.ts'
import { alertOf, type Range, tenants } from '../range.ts'
import { wordsOf } from './parts.ts'

/** Makes a bomb that creates much data with a run, and then reads it. */
function readBomb(name: string, charge: () => Charge, read: (range: Range, run: Answer) => Promise<unknown>, ...comes: readonly string[]): Bomb {
  return {
    name: `read: ${name}`,
    comes,
    async fire(range) {
      const ended = await range.investigate(charge())
      if (ended !== 'completed') return ended
      const { items } = await request(range.attacker, 'GET', '/platformapi/runs?limit=1&state=completed')
      try {
        await read(range, (items as readonly Answer[])[0] as Answer)
        return 'answered'
      } catch (error) {
        if (error instanceof Refused) return `refused ${String(error.problem['code'])}`
        throw error
      }
    },
  }
}

/** Makes a bomb that posts alerts, and then reads them with many requests at the same time. */
function floodBomb(
  name: string,
  contents: () => readonly string[],
  reads: (uuids: readonly string[]) => readonly string[],
  ...comes: readonly string[]
): Bomb {
  return {
    name: `read: ${name}`,
    comes,
    async fire(range) {
      const alerts = contents().map((content) => alertOf(tenants.attacker, null, content))
      const { results } = await request(range.attacker, 'POST', '/platformapi/alerts/batch', { alerts })
      const uuids = (results as readonly { readonly alert: Answer }[]).map(({ alert }) => String(alert['alert_uuid']))
      const ends = await Promise.all(reads(uuids).map((path) => range.ask('GET', path)))
      return [...new Set(ends)].sort().join(', ')
    },
  }
}

const times = (count: number, text: string): string[] => Array.from({ length: count }, () => text)
/** Returns a search for the first words of `wordsOf`. */
const search = (count: number): string => `/platformapi/alerts?limit=1000&q=${wordsOf(count).replaceAll(' ', '+')}`

const inputs = 'inputs:\n  long: { type: string, from: [content.long], required: true }\n'
const steps = (count: number, step: string): string => `steps:\n${Array.from({ length: count }, (_, at) => `  - id: s${at}\n${step}`).join('')}`
const long = { long: '"'.repeat(200_000) }
const get = (path: string) => (range: Range) => request(range.attacker, 'GET', path)
const megabytes = (count: number): string => JSON.stringify({ hello: '"'.repeat(count * 524_288) })

export const reads: readonly Bomb[] = [
  readBomb(
    'a case of 50 notes of 200,000 characters',
    () => ({ content: long, playbook: `${inputs}${steps(50, "    case: { note: '{{ inputs.long }}' }\n")}` }),
    (range, run) => request(range.attacker, 'GET', `/platformapi/cases/${String(run['case_id'])}`),
    'answered',
  ),
  readBomb(
    'a recording of 20 answers of four megabytes',
    () => ({ answers: { 'read-large': megabytes(4) }, playbook: steps(20, "    skill: target.fetch\n    with: { name: 'read-large' }\n") }),
    (range, run) => request(range.attacker, 'GET', `/platformapi/runs/${String(run['run_id'])}/recording`),
    // If other bombs run at the same time, the latest run may belong to one of them.
    'refused recording_too_large',
    'answered',
    'failed call_timeout',
  ),
  readBomb(
    'a page of cases with long verdicts',
    () => ({
      content: long,
      playbook: `${inputs}${steps(1, '    case: { note: x }\n')}verdict: { summary: '{{ inputs.long }}{{ inputs.long }}{{ inputs.long }}' }\n`,
    }),
    get('/platformapi/cases?limit=1000'),
    'answered',
  ),
  floodBomb(
    '20 searches for 20 words at once',
    () => times(1_000, wordsOf(200)),
    () => times(20, search(20)),
    'answered',
  ),
  floodBomb(
    '20 searches for 80 words at once',
    () => ['x'],
    () => times(20, search(80)),
    'refused query_invalid',
  ),
  floodBomb(
    'one alert of 450,000 quotes, 40 times at once',
    () => ['"'.repeat(450_000)],
    ([uuid]) => times(40, `/platformapi/alerts/${uuid}`),
    'answered',
  ),
  readBomb('a page of runs', () => ({ playbook: steps(1, '    case: { note: x }\n') }), get('/platformapi/runs?limit=1000'), 'answered'),
]
