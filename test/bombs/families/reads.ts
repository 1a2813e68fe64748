import { type Answer, Refused, request } from '../../../runtime/cli/client.ts'
import type { Bomb, Charge } from '../bomb.ts'
import type { Range } from '../range.ts'

/** Piles something up with a run, and then reads it. */
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
    // Beside other bombs the latest run may be another's.
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
  readBomb('a page of runs', () => ({ playbook: steps(1, '    case: { note: x }\n') }), get('/platformapi/runs?limit=1000'), 'answered'),
]
