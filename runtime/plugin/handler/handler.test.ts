import { mkdir, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { loadPluginFolder, parsePlugin } from '../manifest/load.ts'
import type { Plugin } from '../types.ts'
import { call, removeWritten, run, write } from './fixture.ts'

afterAll(removeWritten)

describe('what a handler is given', () => {
  test('its input with defaults, the plain fields, its key, and the time at which it began', async () => {
    const { result } = await run(
      'return { input, fields, ...call.call, date: [Date.now(), new Date().getTime(), new Date(0).toISOString(), new Date() instanceof Date] }',
    )
    expect(result).toEqual({
      ok: true,
      output: {
        input: { name: 'ada' },
        fields: { base_url: 'https://tenant.example.com', region: 'eu' },
        key: 'key-1',
        now: 1_700_000_000_000,
        date: [1_700_000_000_000, 1_700_000_000_000, '1970-01-01T00:00:00.000Z', true],
      },
    })
  })

  test('nothing of Node, the network, the environment or randomness', async () => {
    const names = [
      'process',
      'require',
      'module',
      'fetch',
      'XMLHttpRequest',
      'setTimeout',
      'setInterval',
      'queueMicrotask',
      'Buffer',
      'WebAssembly',
      'Deno',
    ]
    const { result } = await run(`
      let random; try { random = Math.random() } catch (error) { random = 'none' }
      let imported; try { await import(input.name); imported = true } catch { imported = false }
      const constructed = (() => {}).constructor('return typeof process')()
      return { there: ${JSON.stringify(names)}.filter((name) => typeof globalThis[name] !== 'undefined'), random, imported, constructed }`)
    expect(result).toEqual({ ok: true, output: { there: [], random: 'none', imported: false, constructed: 'undefined' } })
  })

  test('a fresh context for each call', async () => {
    const code = 'export default async () => { globalThis.n = (globalThis.n ?? 0) + 1; Array.prototype.left = 1; return { n: globalThis.n } }'
    const plugin = await loadPluginFolder(await write(code))
    expect((await call(plugin, [])).result).toEqual({ ok: true, output: { n: 1 } })
    expect((await call(plugin, [])).result).toEqual({ ok: true, output: { n: 1 } })
  })
})

describe('the bundle', () => {
  test("has the plugin's own files, is the same in every folder, and can be restored from the artifact", async () => {
    const files = { more: { 'lib/one.ts': 'export const one: number = 1' } }
    const code = "import { one } from '../lib/one.ts'\nexport default async () => ({ n: one + 1 })"
    const [plugin, again] = await Promise.all([loadPluginFolder(await write(code, files)), loadPluginFolder(await write(code, files))])
    expect(again.digest).toBe(plugin.digest)
    const parsed = parsePlugin(plugin.text)
    expect(parsed.digest).toBe(plugin.digest)
    expect((await call(parsed, [])).result).toEqual({ ok: true, output: { n: 2 } })
  })

  const places = async (loading: Promise<Json | Plugin>): Promise<unknown> => {
    const error = (await loading.then(
      () => null,
      (caught: unknown) => caught,
    )) as { code: string; places: readonly { file: string; line: number; message: string }[] } | null
    return error?.places.map(({ file, line, message }) => [file.split('/things/')[1], line, message])
  }

  test.each([
    ["import '../../../elsewhere.ts'\nexport default 1", 1, '../../../elsewhere.ts is outside'],
    ["\nimport fs from 'node:fs'\nexport default fs", 2, 'a handler cannot use Node'],
    ["import x from 'no-such-package'\nexport default x", 1, 'Could not resolve "no-such-package"'],
    ['export default async () => {\n  return {{\n}', 2, 'Expected'],
  ])('%j is refused with its place', async (code, line, message) => {
    expect(await places(loadPluginFolder(await write(code)))).toEqual([['skills/do_things.ts', line, expect.stringContaining(message)]])
  })

  test('a plugin folder may be a symbolic link', async () => {
    const folder = await write("import { n } from '../lib/n.ts'\nexport default async () => ({ n })", { more: { 'lib/n.ts': 'export const n = 1' } })
    const link = join(dirname(folder), 'linked', basename(folder))
    await mkdir(dirname(link))
    await symlink(folder, link)
    expect([...(await loadPluginFolder(link)).skills.keys()]).toEqual(['do_things'])
  })

  test('a handler without its file, and a file without its skill', async () => {
    expect(await places(loadPluginFolder(await write(null)))).toEqual([['skills/do_things.yaml', 10, 'the file do_things.ts is missing']])
    const extra = { more: { 'skills/other.ts': 'export default 1' } }
    expect(await places(loadPluginFolder(await write('export default async () => ({})', extra)))).toEqual([
      ['skills/other.ts', 1, expect.stringContaining('no skill with this name has')],
    ])
  })
})
