import { type Answer, request, type Target } from '../../runtime/cli/client.ts'
import { decideUntilEnded } from './api/decisions.ts'
import { type MfaSystem, startMfaSystem } from './mfa-system.ts'
import { until } from './until.ts'

/** Runs for the tests of the console: one that contained a user, one that did not, one that waits for a decision, and one with a long loop. */
export interface ConsoleRuns extends MfaSystem {
  /** Run ids. */
  readonly contained: string
  readonly notContained: string
  readonly waiting: string
  readonly looped: string
}

/** The number of iterations of the long loop. */
export const iterations = 1_500

const loop = `format: 1
playbook: sift
alert_type: sift
limits: { steps: 20000 }
inputs:
  numbers: { type: array, from: [content.numbers], required: true }
  text: { type: string, from: [content.text], required: true }
steps:
  - id: each
    foreach: '{{ inputs.numbers }}'
    as: number
    max_items: 5000
    steps:
      - id: odd
        if: { '==': [{ '%': [{ var: number }, 2] }, 1] }
        set: { last: '{{ number }}' }
  - id: long
    set: { all: '{{ inputs.text }}' }
  - id: fails
    stop: { outcome: failed, reason: 'Nothing fits {{ inputs.text | truncate: 60 }}' }
`

async function post(admin: Target, alert_type: string, content: object): Promise<string> {
  const posted = await request(admin, 'POST', '/platformapi/alerts', {
    alert_content: JSON.stringify(content),
    alert_provider: 'IDP',
    organization_code: 'ACME',
    alert_type,
  })
  return String(posted['alert_id'])
}

const lastRun = ({ runs }: Answer): Answer | undefined => (runs as readonly Answer[]).at(-1)

async function investigate(admin: Target, alert_type: string, content: object): Promise<string> {
  const { alert } = await decideUntilEnded(admin, await post(admin, alert_type, content))
  return String(lastRun(alert)?.['run_id'])
}

/** Returns the id of the alert's run as soon as it waits. */
async function untilItWaits(admin: Target, alertId: string): Promise<string> {
  const run = await until(async () => {
    const last = lastRun(await request(admin, 'GET', `/platformapi/alerts/${alertId}`))
    return last?.['state'] === 'waiting' && last
  })
  return String(run['run_id'])
}

const pushes = (username: string, denied: number): object => ({ username, denied, approved: 1, source_ip: '198.51.100.23' })
const [alan, ada] = ['alan.turing@acme.example', 'ada.lovelace@acme.example']

export async function startConsoleRuns(hostile: string): Promise<ConsoleRuns> {
  const system = await startMfaSystem('IDP')
  const { admin } = system
  await request(admin, 'POST', '/platformapi/playbooks', { playbooks: [{ text: loop }] })
  const looped = await investigate(admin, 'sift', { numbers: Array.from({ length: iterations }, (_, at) => at), text: hostile })
  const notContained = await investigate(admin, 'mfa_fatigue', pushes(alan, 3))
  const contained = await investigate(admin, 'mfa_fatigue', pushes(alan, 9))
  const waiting = await untilItWaits(admin, await post(admin, 'mfa_fatigue', pushes(ada, 9)))
  return { ...system, contained, notContained, waiting, looped }
}
