import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { asId, type OrganizationId, type RunPins, type SentAlert, systemScope } from '../../runtime/domain/index.ts'
import { createPlaybookLibrary, importPlaybooks, type PlaybookLibrary } from '../../runtime/playbook/index.ts'
import { createPluginLibrary, importPlugins, type PluginLibrary } from '../../runtime/plugin/index.ts'
import type { Store } from '../../runtime/storage/index.ts'
import { ManualClock } from '../support/clocks/manual-clock.ts'
import { lookingHere } from '../support/looking.ts'
import { openUnhurriedStore } from '../support/stores/unhurried-store.ts'

const sample = fileURLToPath(new URL('support/plugins/directory', import.meta.url))
const text = `format: 1
playbook: grant
alert_type: theft
description: For a test.
connections: { users: { integration: directory } }
steps:
  - { id: role, skill: directory.grant_role, with: { user: ada } }
`
const alert = { organization: asId<OrganizationId>('acme'), type: 'theft', content: '{}' } as unknown as SentAlert

let directory: string
let clock: ManualClock
let store: Store
let plugins: PluginLibrary

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tocsin-plugins-'))
  clock = new ManualClock()
  store = openUnhurriedStore(clock)
  plugins = createPluginLibrary(store, clock)
  cpSync(sample, join(directory, 'plugins/directory'), { recursive: true })
  mkdirSync(join(directory, 'playbooks'))
  writeFileSync(join(directory, 'playbooks/grant.yaml'), text)
  await importPlugins(store, clock, [join(directory, 'plugins')])
  await importPlaybooks(store, lookingHere(plugins, clock), [join(directory, 'playbooks')])
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

const openLibrary = (): PlaybookLibrary => createPlaybookLibrary({ store, ...lookingHere(plugins, clock) })

/** Imports the plugin without the skill that the playbook calls. */
async function removeSkill(): Promise<void> {
  rmSync(join(directory, 'plugins/directory/skills/grant_role.yaml'))
  expect(await importPlugins(store, clock, [join(directory, 'plugins')])).toMatchObject([{ outcome: 'activated' }])
  plugins.forget()
}

const activePins = async (): Promise<Pick<RunPins, 'playbooks' | 'plugins'>> => {
  const plugin = (await plugins.active()).get('directory')
  return { playbooks: {}, plugins: plugin ? { directory: plugin.digest } : {} }
}

test('a run that wakes is compiled with the plugin that it pinned, although the active one has lost its skill', async () => {
  const { digest } = await openLibrary().resolve(alert)
  const pins = await activePins()
  await removeSkill()
  // Another process, or this one after a restart.
  expect((await openLibrary().byDigest(systemScope, digest, pins)).name).toBe('grant')
  await expect(openLibrary().byDigest(systemScope, digest, await activePins())).rejects.toMatchObject({ code: 'playbook_invalid' })
})

test('a new alert gets a playbook that was compiled with the active plugin, not with the one before', async () => {
  const library = openLibrary()
  expect((await library.resolve(alert)).name).toBe('grant')
  await removeSkill()
  await expect(library.resolve(alert)).rejects.toMatchObject({ code: 'playbook_invalid' })
})
