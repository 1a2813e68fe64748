import { afterEach, expect, test } from 'vitest'
import { Refused, request } from '../../runtime/cli/client.ts'
import { seeded } from '../support/seeded.ts'
import { mountSmallDisk, type SmallDisk } from '../support/stores/small-disk.ts'
import { until } from '../support/until.ts'
import { openStand, type Stand } from './storm/stand.ts'
import { alertOf } from './storm/workload.ts'

/** Room for an installation and the alerts of the test, and little more. Megabytes. */
const size = 48
const disk: SmallDisk | null = mountSmallDisk(size)
if (!disk) console.log('skipped: a full disk (this user may not mount a small one)')

let stand: Stand | null = null

afterEach(async () => {
  disk?.empty()
  await stand?.close()
  disk?.remove()
})

test.runIf(disk)('while the disk is full alerts are refused, acknowledged ones stay, and once there is room everything continues', async () => {
  stand = await openStand('embedded', seeded(5), { TOCSIN_DATA: disk?.directory, TOCSIN_LOG_LEVEL: 'warn' })
  const { target, ledger, processes, log } = stand
  const accepted = (flood: { readonly acknowledged: readonly (readonly unknown[])[] }): number =>
    flood.acknowledged.reduce((sum, source) => sum + source.length, 0)
  // Each call posts another alert, so that its writes can be told apart. The log accepts a few alerts before it refuses one.
  let asked = 0
  const refused = async (): Promise<unknown> => {
    try {
      await request(target(), 'POST', '/platformapi/alerts', alertOf(99, asked++))
      return null
    } catch (error) {
      return error
    }
  }
  /** What the log says at level `error`, and above it. */
  const errors = (): readonly string[] => log.filter((line) => !line.includes('"level":"warn"'))
  const wrong = await stand.during(async (flood) => {
    await until(async () => ledger.requests > 60)
    disk?.fill()
    // The store's log file keeps its size, so a few more alerts fit into it.
    for (let times = 0; times < 5; times += 1) {
      const refusal = await until(refused)
      expect(refusal).toBeInstanceOf(Refused)
      expect(refusal).toMatchObject({ status: 503, problem: { code: 'store_unavailable', detail: expect.stringContaining('full') } })
    }
    // Stored data can still be read.
    await request(target(), 'GET', '/platformapi/alerts?limit=1')
    expect(processes[0].died).toBe(false)
    disk?.empty()
    const before = accepted(flood)
    await until(async () => accepted(flood) > before + 20)
    expect(processes[0].died).toBe(false)
    expect(errors().length).toBeGreaterThan(0)
    for (const line of errors()) expect(line).toContain('full')
    // Of the many lines that say the same, only the first is there.
    const kinds = log.filter((line) => line.includes('full.')).map((line) => (JSON.parse(line) as { readonly msg: string }).msg)
    expect(kinds).toContain('request failed')
    expect(kinds.filter((kind) => kind === 'request failed').length).toBe(1)

    disk?.fill()
    let started: Promise<void>
    // A process still starts if its log has room left. Then it uses that room up.
    do {
      await until(refused)
      await processes[0].kill()
      started = processes[0].start()
      await Promise.race([started, until(async () => processes[0].failedStarts.length > 0)])
    } while (processes[0].failedStarts.length === 0)
    disk?.empty()
    await started
  })
  expect(processes[0].failedStarts.join('\n')).toContain('full')
  expect(wrong).toEqual([])
})
