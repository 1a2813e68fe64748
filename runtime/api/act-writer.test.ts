import { expect, test } from 'vitest'
import { newAct } from '../../test/conformance/storage/access/acts.ts'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import type { Act } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import { createLogger } from '../telemetry/index.ts'
import { ActWriter, mostLateActs } from './act-writer.ts'

const away = new TocsinError('store_unavailable', 'MongoDB does not answer.')

/** A writer over an audit log that fails with `failure` as long as it is set, and never takes the act `refused`. */
function opened() {
  const clock = new ManualClock()
  const state: { failure: Error | null; refused: Act | null; readonly stored: Act[]; tries: number } = {
    failure: null,
    refused: null,
    stored: [],
    tries: 0,
  }
  const log: string[] = []
  const write = (line: string): void => {
    const { level, msg } = JSON.parse(line)
    log.push(`${level} ${msg}`)
  }
  const logger = createLogger({ level: 'info', destination: { write } })
  const acts = {
    async add(_scope: unknown, act: Act) {
      state.tries += 1
      if (state.failure) throw state.failure
      if (act === state.refused) throw new Error('no')
      state.stored.push(act)
    },
    list: async () => ({ items: [], more: false }),
  }
  const writer = new ActWriter(acts, clock, logger)
  const later = async (): Promise<void> => {
    clock.advance(2_000)
    await new Promise(setImmediate)
  }
  return { writer, state, log, later }
}

test('an act that the store cannot take now is written later, in its order', async () => {
  const { writer, state, log, later } = opened()
  const acts = [newAct(), newAct(), newAct()]
  state.failure = away
  for (const act of acts.slice(0, 2)) await writer.write(act)
  await later()
  expect(state.stored).toEqual([])
  state.failure = null
  await writer.write(acts[2] as Act)
  await later()
  expect(state.stored).toEqual([acts[2], acts[0], acts[1]])
  expect(log).toEqual([
    'warn the store did not take an act for the audit log: it is tried again',
    'warn the store did not take an act for the audit log: it is tried again',
    'info the audit log has acts that the store did not take before',
  ])
  const { tries } = state
  await later()
  expect(state.tries).toBe(tries)
})

test('an act that the store will never take is lost, and holds up no other', async () => {
  const { writer, state, log, later } = opened()
  const [wrong, right] = [newAct(), newAct()]
  state.failure = away
  await writer.write(wrong)
  await writer.write(right)
  state.failure = null
  state.refused = wrong
  await later()
  expect(state.stored).toEqual([right])
  await writer.write(wrong)
  await later()
  expect(log.slice(2)).toEqual([
    'error the audit log lacks an act: the store did not take it',
    'info the audit log has acts that the store did not take before',
    'error the audit log lacks an act: the store did not take it',
  ])
})

test('at the end of the process, late acts are tried once more, and the log names those that are lost', async () => {
  const { writer, state, log } = opened()
  state.failure = away
  await writer.write(newAct())
  await writer.close()
  expect(log.at(-1)).toBe('error the audit log lacks an act: the store did not take it')

  const other = opened()
  other.state.failure = away
  await other.writer.write(newAct())
  other.state.failure = null
  await other.writer.close()
  expect(other.state.stored).toHaveLength(1)
  await other.later()
  expect(other.state.tries).toBe(2)
})

test('a store that is away for long does not fill the memory', async () => {
  const { writer, state, log } = opened()
  state.failure = away
  for (let one = 0; one < mostLateActs; one++) await writer.write(newAct())
  expect(log.filter((line) => line.startsWith('error'))).toEqual([])
  await writer.write(newAct())
  expect(log.at(-1)).toBe('error the audit log lacks an act: the store did not take it')
  state.failure = null
  await writer.close()
  expect(state.stored).toHaveLength(mostLateActs)
})
