import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { request } from '../../../runtime/cli/client.ts'
import { type Installation, newInstallation, shippedPlugin } from '../../support/processes/installation.ts'
import { spawnTocsin } from '../../support/processes/tocsin-process.ts'

const text = (note: string): string => `format: 1\nplaybook: thief\nalert_type: theft\nsteps:\n  - id: say\n    case: { note: ${note} }\n`

let installation: Installation
let folder: string
beforeAll(() => {
  installation = newInstallation('embedded')
  folder = join(installation.directory, 'playbooks')
  mkdirSync(folder)
})
afterAll(() => installation.remove())

/** Starts a process, and stops it. Returns the active playbook, the integrations, and what the start said about imports. */
async function started(): Promise<{ playbook: unknown; integrations: number; said: string[] }> {
  const log: string[] = []
  const environment = { ...installation.environment, TOCSIN_PLAYBOOKS: folder, TOCSIN_PLUGINS: shippedPlugin('mailsec'), TOCSIN_LOG_LEVEL: 'debug' }
  const process = await spawnTocsin('up', environment, log)
  try {
    const target = { url: process.url, key: installation.adminKey }
    const { text: playbook } = await request(target, 'GET', '/platformapi/playbooks/theft')
    const { items } = (await request(target, 'GET', '/platformapi/integrations')) as { items: unknown[] }
    return { playbook, integrations: items.length, said: log.filter((line) => /import/.test(line)) }
  } finally {
    await process.stop()
  }
}

test('a restart imports the folders only if something has changed, and names a broken file each time', async () => {
  writeFileSync(join(folder, 'thief.yaml'), text('first'))
  expect(await started()).toMatchObject({ playbook: text('first'), integrations: 1, said: [expect.anything(), expect.anything()] })
  expect(await started()).toEqual({ playbook: text('first'), integrations: 1, said: [] })
  writeFileSync(join(folder, 'thief.yaml'), text('other'))
  expect(await started()).toMatchObject({ playbook: text('other'), said: [expect.anything(), expect.anything()] })
  writeFileSync(join(folder, 'broken.yaml'), 'format: 1\nplaybook: broken\n')
  for (const _ of [1, 2]) expect((await started()).said).toEqual(expect.arrayContaining([expect.stringContaining('could not import a playbook')]))
})
