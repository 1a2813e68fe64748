import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newInstallation, shippedPlugin } from '../../support/processes/installation.ts'
import { spawnTocsin } from '../../support/processes/tocsin-process.ts'

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const firstWith = (path: string, beginning: string): string =>
  read(path)
    .split('\n')
    .find((line) => line.startsWith(beginning)) ?? ''

// V8 takes this limit only from the command line that starts a process.
test.for([
  ['npm start', scripts['start'] ?? ''],
  ['npm run tocsin', scripts['tocsin'] ?? ''],
  ['the program `tocsin`', firstWith('runtime/tocsin.js', '#!')],
  ['the container image', firstWith('Dockerfile', 'ENTRYPOINT')],
])('%s limits the young objects of V8', ([, command]) => {
  expect(command).toMatch(/\bnode\b.*--max-semi-space-size=32\b/)
})

// Each module takes a quarter of a millisecond (decisions 76 and 117). One import too many loads a whole package or room.
test('a start with nothing to import loads no package and no room that only calls, checks or the command line need', async () => {
  const { directory, environment, remove } = newInstallation('embedded')
  try {
    const file = join(directory, 'loaded.json')
    const playbooks = join(directory, 'playbooks')
    mkdirSync(playbooks)
    const settings = { ...environment, TOCSIN_PLUGINS: shippedPlugin('mfa'), TOCSIN_PLAYBOOKS: playbooks, LOADED: file }
    await (await spawnTocsin('up', settings)).stop()
    await (await spawnTocsin('up', settings, undefined, new URL('./tells-what-it-loads.ts', import.meta.url))).stop()
    const loaded = JSON.parse(readFileSync(file, 'utf8')) as readonly string[]
    const rooms = ['egress/network', 'expressions/reference', 'playbook/authoring', 'playbook/lint/rules', 'plugin/scaffold', 'plugin/typed']
    const others = ['ajv', 'esbuild', 'prom-client', 'undici', 'yaml'].map((name) => `node_modules/${name}/`)
    const early = [...rooms.map((room) => `runtime/${room}`), 'runtime/rehearsal/rehearse.ts', ...others]
    expect(early.filter((one) => loaded.some((url) => url.includes(one)))).toEqual([])
    // Its own files are among them.
    expect(loaded.some((url) => url.includes('runtime/engine/run/'))).toBe(true)
  } finally {
    await remove()
  }
})
