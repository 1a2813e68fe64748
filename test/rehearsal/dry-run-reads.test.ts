import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { playbookFolder } from './command.ts'
import { LookedAfter, playbook } from './looked-after.ts'

const alan = 'alan.turing@acme.example'
const folder = playbookFolder({ 'looked-after.yaml': playbook, 'alert.json': JSON.stringify({ user: { email: alan } }) })
let tocsin: LookedAfter
beforeAll(async () => {
  tocsin = await LookedAfter.start()
})
afterAll(async () => {
  await tocsin?.stop()
  folder.remove()
})
const dry = (...words: string[]) =>
  tocsin.tocsin('playbook', 'dry-run', join(folder.folder, 'looked-after.yaml'), '--alert', join(folder.folder, 'alert.json'), '--reads', ...words)

test('with --reads, sends reads to the external system, and no write', async () => {
  const { code, out } = await dry('--connection', 'mfa', '--format', 'json')
  expect(code).toBe(0)
  expect(JSON.parse(out).calls).toMatchObject([
    { step: 'look', answer: 'read' },
    { step: 'active/bypass', skill: 'mfa.toggle_mfa_user_bypass', answer: 'generated' },
    { step: 'active/suspend', answer: 'generated' },
  ])
  expect(tocsin.simulator.user(alan)?.status).toBe('ACTIVE')
  expect(tocsin.simulator.counts.writes).toBe(0)
})

test('reports a slot for which no connection is named', async () => {
  const { code, err } = await dry()
  expect(err).toContain('--connection idp=<instance>')
  expect(code).toBe(2)
})
