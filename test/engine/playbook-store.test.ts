import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Alert, asId, type Digest, defaultPolicy, type OrganizationId, type PrincipalId, systemScope } from '../../runtime/domain/index.ts'
import { TocsinError } from '../../runtime/errors/index.ts'
import { createPlaybookLibrary, importPlaybooks, type PlaybookLibrary } from '../../runtime/playbook/index.ts'
import { createPluginLibrary, importPlugins, type PluginLibrary } from '../../runtime/plugin/index.ts'
import type { Store } from '../../runtime/storage/index.ts'
import { digestOf } from '../../runtime/yaml/index.ts'
import { ManualClock } from '../support/clocks/manual-clock.ts'
import { lookingHere } from '../support/looking.ts'
import { openUnhurriedStore } from '../support/stores/unhurried-store.ts'

const organization = asId<OrganizationId>('acme')
let directory: string
let clock: ManualClock
let store: Store
let plugins: PluginLibrary
let library: PlaybookLibrary

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tocsin-playbooks-'))
  clock = new ManualClock()
  store = openUnhurriedStore(clock)
  plugins = createPluginLibrary(store, clock)
  await importPlugins(store, clock, [fileURLToPath(new URL('support/plugins', import.meta.url))])
  library = createPlaybookLibrary({ store, ...looking() })
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

const looking = () => lookingHere(plugins, clock)

const nothingPinned = { playbooks: {}, plugins: {} }

const text = (name: string, type = 'theft'): string =>
  `format: 1\nplaybook: ${name}\nalert_type: ${type}\ndescription: For a test.\nsteps: [{ id: say, case: { note: ${name} } }]\n`

async function importText(content: string, file = 'a.yaml') {
  const folder = join(directory, 'folder')
  const { mkdirSync } = await import('node:fs')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, file), content)
  return importPlaybooks(store, looking(), [folder])
}

/** Activates another text for the same place, like an edit in the store. */
async function edit(content: string, owner: OrganizationId | null, withdrawn = false): Promise<void> {
  const place = { kind: 'playbook', organization: owner, key: 'theft' } as const
  const standing = await store.artifacts.active(systemScope, place)
  const digest = digestOf(content)
  const at = clock.now()
  await store.artifacts.put(systemScope, [{ digest, kind: 'playbook', name: 'edited', text: content, organization: owner, createdAt: at }])
  await store.artifacts.activate(systemScope, {
    ...place,
    digest,
    name: 'edited',
    source: 'edited',
    folderDigest: standing?.folderDigest ?? null,
    revision: (standing?.revision ?? 0) + 1,
    activatedAt: at,
    activatedBy: null,
    withdrawn,
  })
}

const alert = (type: string): Alert => ({ organization, type, content: '{"user":"ada@example.com"}' }) as Alert
const resolve = async (type = 'Theft'): Promise<string> => {
  clock.advance(2_000)
  return (await library.resolve(alert(type))).name
}

test('a folder is imported and activated, once; a changed file replaces what the folder had', async () => {
  expect(await importText(text('one'))).toMatchObject([{ outcome: 'activated', type: 'theft', name: 'one' }])
  expect(await importText(text('one'))).toMatchObject([{ outcome: 'unchanged' }])
  expect(await importText(text('two'))).toMatchObject([{ outcome: 'activated' }])
  expect(await resolve()).toBe('two')
})

test('an edit in the store is not replaced by the folder, changed or not', async () => {
  await importText(text('one'))
  await edit(text('edited'), null)
  expect(await importText(text('one'))).toMatchObject([{ outcome: 'kept_edit' }])
  expect(await importText(text('two'))).toMatchObject([{ outcome: 'kept_edit' }])
  expect(await resolve()).toBe('edited')
})

test('a file that does not compile replaces nothing, and the others are imported', async () => {
  await importText(text('one'))
  await importText(text('other', 'fraud'), 'b.yaml')
  const results = await importText('format: 1\nplaybook: broken\nalert_type: theft\nsteps: [{ id: x, skil: a.b }]\n')
  expect(results).toMatchObject([{ outcome: 'refused', error: { code: 'playbook_invalid' } }, { outcome: 'unchanged' }])
  expect(await resolve()).toBe('one')
})

test('a refused file without an earlier version keeps its type: its alerts fail with the reason, and get no generated playbook', async () => {
  await importText('format: 1\nplaybook: broken\nalert_type: Theft\nsteps: [{ id: x, skill: nothing.there }]\n')
  clock.advance(2_000)
  await expect(library.resolve(alert('theft'))).rejects.toThrow(expect.objectContaining({ code: 'playbook_invalid' }))
  expect(await importText(text('mended'))).toMatchObject([{ outcome: 'activated' }])
  expect(await resolve()).toBe('mended')
})

test('two files for one type: the second is refused, and the error names the first', async () => {
  await importText(text('one'))
  const results = await importText(text('two'), 'b.yaml')
  expect(results).toMatchObject([{ outcome: 'unchanged' }, { outcome: 'refused', error: { message: expect.stringContaining('a.yaml') } }])
})

test("an organization's own playbook wins over the shared one, which wins over a generated one", async () => {
  expect(await resolve()).toMatch(/^generated/)
  await importText(text('shared'))
  expect(await resolve()).toBe('shared')
  await edit(text('own'), organization)
  expect(await resolve()).toBe('own')
})

test('if a playbook is withdrawn the next in order is used, and after the last a generated one', async () => {
  await importText(text('shared'))
  await edit(text('own'), organization)
  await edit(text('own'), organization, true)
  expect(await resolve()).toBe('shared')
  await edit(text('shared'), null, true)
  expect(await resolve()).toMatch(/^generated/)
  expect(await importText(text('shared'))).toMatchObject([{ outcome: 'kept_edit' }])
})

test('however many alerts race, one playbook is generated for a type', async () => {
  const other = createPlaybookLibrary({ store, ...lookingHere(createPluginLibrary(store, clock), clock) })
  const plans = await Promise.all(
    Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? library : other).resolve(alert(index % 3 === 0 ? 'New Type' : 'new type '))),
  )
  expect(new Set(plans.map(({ digest }) => digest)).size).toBe(1)
  const history = await store.artifacts.history(systemScope, { kind: 'playbook', organization, key: 'new type' })
  expect(history).toMatchObject([{ revision: 1, source: 'generated' }])
})

test('a run gets the playbook that it pinned, whatever is active now', async () => {
  await importText(text('one'))
  const digest = (await library.resolve(alert('theft'))).digest
  await importText(text('two'))
  expect((await library.byDigest(systemScope, digest, nothingPinned)).name).toBe('one')
  await expect(library.byDigest(systemScope, asId<Digest>('sha256:none'), nothingPinned)).rejects.toThrow(
    expect.objectContaining({ code: 'playbook_unknown' }),
  )
})

const sub = (said: string): string => `format: 1\nplaybook: inner\nsteps: [{ id: say, case: { note: ${said} } }]\n`
const outer = `format: 1\nplaybook: outer\nalert_type: theft\ndescription: For a test.\nsteps: [{ id: again, playbook: inner }]\n`

test('a sub-playbook becomes active under its name, and a run keeps the one that it pinned', async () => {
  expect(await importText(outer, 'a.yaml')).toMatchObject([{ outcome: 'refused', error: { code: 'playbook_invalid' } }])
  expect(await importText(sub('one'), 'z.yaml')).toMatchObject([
    { name: 'outer', type: 'theft' },
    { name: 'inner', type: null, outcome: 'activated' },
  ])
  library.forget()
  const first = await library.resolve(alert('theft'))
  const pinned = { inner: digestOf(sub('one')) }
  expect(first.playbooks).toMatchObject({ inner: { digest: pinned.inner } })
  await importText(sub('two'), 'z.yaml')
  library.forget()
  const second = await library.resolve(alert('theft'))
  expect([second.digest, second.playbooks['inner']?.digest]).toEqual([first.digest, digestOf(sub('two'))])
  expect((await library.byDigest(systemScope, first.digest, { playbooks: pinned, plugins: {} })).playbooks['inner']?.digest).toBe(pinned.inner)
})

const needy = `format: 1\nplaybook: inner\ninputs: { who: { type: string, required: true } }\nsteps: [{ id: say, case: { note: '{{ inputs.who }}' } }]\n`

test('a sub-playbook that breaks an active playbook is refused, but accepted together with the changed playbook', async () => {
  await importText(sub('one'), 'z.yaml')
  await importText(outer, 'a.yaml')
  expect(await importText(needy, 'z.yaml')).toMatchObject([
    { name: 'outer', outcome: 'unchanged' },
    {
      file: expect.stringContaining('z.yaml'),
      outcome: 'refused',
      error: { code: 'playbook_breaks_others', message: expect.stringContaining('a.yaml') },
    },
  ])
  library.forget()
  expect((await library.resolve(alert('theft'))).playbooks['inner']?.digest).toBe(digestOf(sub('one')))
  writeFileSync(join(directory, 'folder', 'a.yaml'), outer.replace('playbook: inner', 'playbook: inner, with: { who: ada }'))
  expect(await importText(needy, 'z.yaml')).toMatchObject([
    { name: 'outer', outcome: 'activated' },
    { name: 'inner', outcome: 'activated' },
  ])
})

test('a broken playbook is refused alone; its sub-playbooks are imported', async () => {
  await importText(outer, 'a.yaml')
  await importText(sub('one'), 'z.yaml')
  writeFileSync(join(directory, 'folder', 'a.yaml'), outer.replace('playbook: inner', 'playbook: inner, with: { who: ada }'))
  expect(await importText(sub('two'), 'z.yaml')).toMatchObject([
    { outcome: 'refused', error: { code: 'playbook_invalid' } },
    { name: 'inner', outcome: 'activated' },
  ])
})

test('the playbooks of a folder must work with a sub-playbook that somebody edited', async () => {
  await importText(sub('one'), 'z.yaml')
  const place = { kind: 'sub_playbook', organization: null, key: 'inner' } as const
  const digest = digestOf(needy)
  await store.artifacts.put(systemScope, [{ digest, kind: 'sub_playbook', name: 'inner', text: needy, organization: null, createdAt: 1 }])
  const change = { source: 'edited', folderDigest: null, revision: 2, activatedAt: 1, activatedBy: null, withdrawn: false } as const
  await store.artifacts.activate(systemScope, { ...place, ...change, digest, name: 'inner' })
  const results = await importText(outer, 'a.yaml')
  expect(results).toMatchObject([{ outcome: 'refused', error: { code: 'playbook_invalid' } }, { outcome: 'kept_edit' }])
})

test('a text that somebody activated belongs to the folder once the folder has the same text', async () => {
  await importText(text('one'))
  await edit(text('edited'), null)
  expect(await importText(text('edited'))).toMatchObject([{ outcome: 'activated' }])
  expect(await importText(text('three'))).toMatchObject([{ outcome: 'activated' }])
  expect(await resolve()).toBe('three')
})

test('a second sub-playbook of the same name is refused', async () => {
  await importText(sub('one'), 'a.yaml')
  expect(await importText(sub('two'), 'b.yaml')).toMatchObject([
    { outcome: 'unchanged' },
    { outcome: 'refused', error: { message: expect.stringContaining('a.yaml is already the sub-playbook inner') } },
  ])
})

test('the import names organizations whose policy allows less, except those with their own playbook', async () => {
  const impact = { high: 0, write: null, targets: null }
  const policy = { ...defaultPolicy, limits: { ...defaultPolicy.limits, impact } }
  const set = { revision: 1, text: '', policy, changedAt: 1, changedBy: asId<PrincipalId>('ada') }
  for (const code of ['acme', 'zeta']) await store.policies.set(systemScope, { ...set, organization: asId(code) })
  await edit(text('own'), organization)
  const pages = (name: string, types: string): string =>
    `format: 1\nplaybook: ${name}\nalert_type: ${types}\nconnections: { d: { integration: directory } }\nsteps: [{ id: page, skill: directory.page_user, with: { user: ada } }]\n`
  const exceeded = [{ name: 'high', most: 1, limit: 0 }]
  expect(await importText(pages('one', '[theft, fraud]'))).toMatchObject([
    { type: 'theft', overPolicy: [{ organization: 'zeta', exceeded }] },
    {
      type: 'fraud',
      overPolicy: [
        { organization: 'acme', exceeded },
        { organization: 'zeta', exceeded },
      ],
    },
  ])
  await edit(text('own'), organization, true)
  expect(await importText(pages('two', 'theft'))).toMatchObject([{ overPolicy: [{ organization: 'acme' }, { organization: 'zeta' }] }])
})

test('a file that changes while it is checked is not activated with its old text: another process may have activated the new one', async () => {
  await importText(text('first'))
  const put: Store['artifacts']['put'] = async (...given) => {
    await store.artifacts.put(...given)
    writeFileSync(join(directory, 'folder', 'a.yaml'), text('third'))
  }
  const artifacts = new Proxy(store.artifacts, { get: (target, key) => (key === 'put' ? put : Reflect.get(target, key).bind(target)) })
  writeFileSync(join(directory, 'folder', 'a.yaml'), text('second'))
  expect(await importPlaybooks({ ...store, artifacts }, looking(), [join(directory, 'folder')])).toEqual([])
  expect((await library.resolve(alert('theft'))).digest).toBe(digestOf(text('first')))
  expect(await importPlaybooks(store, looking(), [join(directory, 'folder')])).toMatchObject([{ name: 'third', outcome: 'activated' }])
})

describe('while a playbook and a sub-playbook that belong together change, one after the other', () => {
  const fitting = outer.replace('playbook: inner', 'playbook: inner, with: { who: ada }')
  const outerOf = async (): Promise<Digest> => (await library.resolve(alert('theft'))).digest
  /** A store in which only the first of two places that change one after the other is active yet. */
  const first = (): Store => {
    let places = 0
    const activate: Store['artifacts']['activate'] = (scope, activation) => {
      places += 1
      if (places > 1) throw new TocsinError('store_unavailable', 'The process has died.')
      return store.artifacts.activate(scope, activation)
    }
    const artifacts = new Proxy(store.artifacts, { get: (target, key) => (key === 'activate' ? activate : Reflect.get(target, key).bind(target)) })
    return { ...store, artifacts }
  }

  beforeEach(async () => {
    await importText(outer, 'a.yaml')
    await importText(sub('one'), 'z.yaml')
    clock.advance(60_000)
    expect(await outerOf()).toBe(digestOf(outer))
    writeFileSync(join(directory, 'folder', 'a.yaml'), fitting)
    writeFileSync(join(directory, 'folder', 'z.yaml'), needy)
  })

  test('alerts wait for the second change; they fail only if it never comes', async () => {
    await expect(importPlaybooks(first(), looking(), [join(directory, 'folder')])).rejects.toMatchObject({ code: 'store_unavailable' })
    clock.advance(1_000)
    await expect(outerOf()).rejects.toMatchObject({ code: 'playbook_changing' })
    clock.advance(9_000)
    await expect(outerOf()).rejects.toMatchObject({ code: 'playbook_invalid' })
    await importPlaybooks(store, looking(), [join(directory, 'folder')])
    clock.advance(1_000)
    expect(await outerOf()).toBe(digestOf(fitting))
  })

  test('a state that was read in between is read again instead of being cached', async () => {
    await expect(importPlaybooks(first(), looking(), [join(directory, 'folder')])).rejects.toMatchObject({ code: 'store_unavailable' })
    clock.advance(1_000)
    await expect(outerOf()).rejects.toMatchObject({ code: 'playbook_changing' })
    await importPlaybooks(store, looking(), [join(directory, 'folder')])
    expect(await outerOf()).toBe(digestOf(fitting))
  })

  test('a state that was read before stays cached for its second', async () => {
    clock.advance(1_000)
    await outerOf()
    await importPlaybooks(store, looking(), [join(directory, 'folder')])
    clock.advance(999)
    expect(await outerOf()).toBe(digestOf(outer))
    clock.advance(1)
    expect(await outerOf()).toBe(digestOf(fitting))
  })
})
