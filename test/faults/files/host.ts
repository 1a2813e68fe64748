import { createInterface } from 'node:readline'
import { systemClock } from '../../../runtime/config/seams.ts'
import { isTocsinError } from '../../../runtime/errors/index.ts'
import { openEmbeddedStore } from '../../../runtime/storage/embedded/index.ts'
import { everyone, newAlert, type Tenant } from '../../conformance/storage/fixtures.ts'

/**
 * A process that opens an embedded store and inserts alerts until it ends, as the API would. It reports
 * acknowledged ids, refusals and notices on standard output, one line of JSON each. Commands on standard
 * input: `ping`, `hold` (inserts nothing until `resume`, and answers when no insert is under way), `resume`, `stop`.
 */
const [directory = '', tenant = '{}'] = process.argv.slice(2)
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)
const codeOf = (error: unknown): { code: string; message: string } => ({
  code: isTocsinError(error) ? error.code : 'defect',
  message: error instanceof Error ? error.message : String(error),
})

/** After so many alerts, each source waits a moment before the next. */
const many = 150

try {
  const store = await openEmbeddedStore({ directory, clock: systemClock, report: (notice) => say({ notice }), companions: ['vault.key'] })
  say({ opened: true })
  let going = true
  let count = 0
  const source = async (): Promise<void> => {
    while (going) {
      try {
        // The first ones are the largest, so that a checkpoint comes soon. After `many`, the sources slow down, so that the test gets the processor.
        const content = JSON.stringify({ text: 'x'.repeat(count++ < 60 ? 260_000 : 60_000) })
        if (count > many) await systemClock.sleep(10)
        const inserted = await store.alerts.insert(everyone, [newAlert(JSON.parse(tenant) as Tenant, { content })])
        say({ acknowledged: inserted.map(({ alert }) => alert.alertId) })
      } catch (error) {
        say({ refused: codeOf(error) })
        await systemClock.sleep(20)
      }
    }
  }
  const start = (): Promise<unknown> => Promise.all([source(), source(), source()])
  let sources = start()
  createInterface(process.stdin).on('line', async (line) => {
    if (line === 'ping') {
      await store.ping().then(
        () => say({ ready: null }),
        (error: unknown) => say({ ready: codeOf(error) }),
      )
    } else if (line === 'resume') {
      going = true
      sources = start()
    } else {
      going = false
      await sources
      if (line === 'hold') return say({ held: true })
      await store.close()
      process.exit(0)
    }
  })
} catch (error) {
  say({ failed: codeOf(error) })
  process.exit(1)
}
