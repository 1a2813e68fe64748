import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { isTocsinError } from '../errors/index.ts'
import { localChecks, type PlaybookChecks, type TaskInput } from '../playbook/index.ts'
import { type Checks, createChecks } from './index.ts'

const logger = { error: () => {} }
const clock = new ManualClock()
// Each process has a processor for itself.
const processorTime = (): number => clock.now()
let checks: Checks = createChecks({ clock, logger, processorTime })
afterEach(async () => {
  await checks.close()
  checks = createChecks({ clock, logger, processorTime })
})

const work = { owner: 'acme', plugins: new Map() }
const text = (steps: string): string => `format: 1\nplaybook: one\nalert_type: theft\nsteps:\n${steps}`
const alone = { connections: null, sources: new Map(), names: [], excess: null }
const input = (steps: string): TaskInput<'examine'> => ({ file: { file: 'one.yaml', text: text(steps) }, around: alone })

test('a text is checked as it is in the same process', async () => {
  for (const steps of [
    "  - { id: say, if: { '==': [1, 1] }, case: { note: hello } }\n",
    '  - { id: say, script: "export default () => ({ a: 1 })" }\n',
    '  - nothing\n',
  ]) {
    expect(await checks.playbooks.run('examine', input(steps), work)).toEqual(await localChecks.run('examine', input(steps), work))
  }
})

test('an error about the text comes back with its code and its places', async () => {
  const refused = (by: PlaybookChecks) =>
    by.run('compile', input('  - nothing\n'), work).then(
      () => null,
      (error: unknown) => (isTocsinError(error) ? { code: error.code, message: error.message, places: error.places } : null),
    )
  expect(await refused(checks.playbooks)).toMatchObject({ code: 'playbook_invalid' })
  expect(await refused(checks.playbooks)).toEqual(await refused(localChecks))
})

test('a check beyond its deadline ends with `check_timeout`, and the next text is checked', async () => {
  await checks.playbooks.run('outline', ['a: 1'], work)
  const many = Array.from({ length: 3_000 }, (_, at) => `  - { id: s${at}, case: { note: '{{ steps.s${at - 1}.status }}' } }\n`).join('')
  const slow = checks.playbooks.run('examine', input(many), work).catch((error: unknown) => isTocsinError(error) && error.code)
  // By now the process has started the check, but cannot have finished it.
  await setImmediate()
  clock.advance(15_001)
  expect(await slow).toBe('check_timeout')
  expect(await checks.playbooks.run('outline', ['playbook: other'], work)).toMatchObject([{ name: 'other' }])
})

test('twenty checks of one owner wait, further ones get `overloaded`, and another owner still gets in', async () => {
  const ask = (owner: string) =>
    checks.playbooks.run('outline', ['playbook: one'], { ...work, owner }).then(
      () => 'done',
      (error: unknown) => (isTocsinError(error) ? error.code : String(error)),
    )
  const [many, other] = [Array.from({ length: 40 }, () => ask('acme')), ask('globex')]
  const ends = Object.groupBy(await Promise.all(many), (end) => end)
  expect(Object.keys(ends).toSorted()).toEqual(['done', 'overloaded'])
  expect(ends['done']?.length).toBeGreaterThanOrEqual(20)
  expect(await other).toBe('done')
})
