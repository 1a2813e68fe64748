import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { asId, type Digest, type OrganizationId, type RunPins, type SentAlert, systemScope } from '../../runtime/domain/index.ts'
import { createPlaybookLibrary, importPlaybooks, type PlaybookLibrary } from '../../runtime/playbook/index.ts'
import { createPluginLibrary, importPlugins, type PluginLibrary } from '../../runtime/plugin/index.ts'
import type { Store } from '../../runtime/storage/index.ts'
import { digestOf } from '../../runtime/yaml/index.ts'
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

test('an active plugin that cannot be read is told once, and does not keep the others from their work', async () => {
  const text = JSON.stringify({ manifest: { format: 1, id: 'old' }, skills: [] })
  const place = { kind: 'plugin', organization: null, key: 'old' } as const
  const digest = digestOf(text)
  await store.artifacts.put(systemScope, [{ digest, kind: 'plugin', name: 'old', text, organization: null, createdAt: 0 }])
  const made = { name: 'old', source: 'folder', folderDigest: digest, revision: 1, activatedAt: 0, activatedBy: null, withdrawn: false } as const
  await store.artifacts.activate(systemScope, { ...place, ...made, digest })
  const told: string[] = []
  plugins = createPluginLibrary(store, clock, (id, { code }) => told.push(`${id} ${code}`))
  expect((await openLibrary().resolve(alert)).name).toBe('grant')
  plugins.forget()
  expect([...(await plugins.active()).keys()]).toEqual(['directory'])
  expect(told).toEqual(['old manifest_invalid'])
})

test('a new alert gets a playbook that was compiled with the active plugin, not with the one before', async () => {
  const library = openLibrary()
  expect((await library.resolve(alert)).name).toBe('grant')
  await removeSkill()
  await expect(library.resolve(alert)).rejects.toMatchObject({ code: 'playbook_invalid' })
})

test('a run whose plugin the store has lost says how to go on', async () => {
  const gone = asId<Digest>(`sha256:${'0'.repeat(64)}`)
  const { digest } = await openLibrary().resolve(alert)
  await expect(openLibrary().byDigest(systemScope, digest, { playbooks: {}, plugins: { directory: gone } })).rejects.toMatchObject({
    code: 'integration_unknown',
    remedy: expect.stringContaining('retry the alert'),
  })
})
