import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, sep } from 'node:path'
import { expect, test } from 'vitest'
import { type Import, importsOf, root, sources } from './source-imports.ts'

/** Returns the room of a file: `engine` for `runtime/engine/run/steps/set.ts`. */
function roomOf(file: string): string | null {
  const [top, room, ...rest] = file.split(sep)
  return top === 'runtime' && room !== undefined && rest.length > 0 ? room : null
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object }
const isTest = (file: string): boolean => file.endsWith('.test.ts')
/** Returns whether a file belongs to a plugin, including the plugin of the examples in the grammar. */
const isPlugin = (file: string): boolean => file.includes(`plugin${sep}sample${sep}`)
const runtime = sources('runtime')
  .filter((file) => !isPlugin(file))
  .flatMap(importsOf)
const production = runtime.filter(({ from }) => !isTest(from))
const broken = (imports: readonly Import[], rule: (one: Import) => boolean): string[] =>
  imports.filter(rule).map(({ from, to }) => `${from} imports ${to}`)

test('the search finds the production code', () => {
  expect(production.length).toBeGreaterThan(200)
})

test('domain imports only its own files, and no package', () => {
  expect(broken(production, ({ from, to, ours }) => roomOf(from) === 'domain' && !(ours && roomOf(to) === 'domain'))).toEqual([])
})

test('rooms import each other only by their index, and production code imports no tests', () => {
  const doors = new Set([
    'runtime/storage/embedded/index.ts',
    'runtime/storage/mongodb/index.ts',
    'runtime/playbook/authoring/index.ts',
    'runtime/plugin/grammar/index.ts',
    'runtime/plugin/scaffold/index.ts',
    'runtime/expressions/typing/index.ts',
    'runtime/rehearsal/recorded/index.ts',
    'runtime/relay/agent/index.ts',
    // Comes before all rooms.
    'runtime/own-imports.js',
  ])
  const inside = ({ from, to, ours }: Import): boolean =>
    ours &&
    roomOf(from) !== roomOf(to) &&
    !/^runtime\/[^/]+\/index\.ts$/.test(to) &&
    !doors.has(to) &&
    // `runtime/main.ts` loads the command line. It is not in a room.
    !(roomOf(from) === null && to.startsWith('runtime/cli/'))
  expect(broken(production, inside)).toEqual([])
  expect(broken(production, ({ to, ours }) => ours && to.startsWith('test'))).toEqual([])
})

test('engine, playbook, ingest, plugin, api and notify import only the ports of store and queue', () => {
  const blind = new Set(['engine', 'playbook', 'ingest', 'plugin', 'api', 'notify'])
  expect(broken(production, ({ from, to }) => blind.has(roomOf(from) ?? '') && /^runtime\/(storage|queue)\/(?!index\.ts)/.test(to))).toEqual([])
})

test.each([
  ['mongodb', 'runtime/storage/mongodb/'],
  ['bullmq', 'runtime/queue/bullmq/'],
  ['ioredis', 'runtime/redis/'],
  ['undici', 'runtime/egress/'],
  ['ws', 'runtime/relay/'],
  ['fastify', 'runtime/api/'],
  ['commander', 'runtime/cli/'],
  ['isolated-vm', 'runtime/plugin/isolate/'],
  ['lru-cache', 'runtime/caches/'],
  ['prom-client', 'runtime/metrics/'],
  ['@opentelemetry/api', 'runtime/traces/'],
  ['@opentelemetry/resources', 'runtime/traces/'],
  ['@opentelemetry/sdk-trace', 'runtime/traces/'],
  ['@opentelemetry/exporter-trace-otlp-http', 'runtime/traces/'],
  ['esbuild', 'runtime/bundle/'],
  ['pdfkit', 'runtime/pdf/'],
  ['fontkit', 'runtime/pdf/'],
  ['typebox', 'runtime/schema/'],
] as const)('only its adapter imports %s', (name, folder) => {
  expect(broken(production, ({ from, to, ours }) => !ours && to === name && !from.startsWith(folder))).toEqual([])
})

test('the console imports its own files, packages for a browser, and the types of API answers', () => {
  const console = sources('console')
    .flatMap(importsOf)
    .filter(({ from }) => !isTest(from))
  expect(console.length).toBeGreaterThan(20)
  const packages = new Set([
    ...['react', 'react-dom', 'wouter', 'tinykeys', '@atlaskit/pragmatic-drag-and-drop'],
    ...['@mantine/core', '@mantine/hooks', '@mantine/modals', '@mantine/notifications', '@mantine/spotlight', '@tabler/icons-react'],
    ...['@mantine/charts', '@mantine/dates', 'react-json-view-lite', '@rjsf/mantine', '@rjsf/utils', '@cfworker/json-schema'],
    ...['@tanstack/react-query', '@tanstack/react-table', '@tanstack/react-virtual'],
    ...['@codemirror/autocomplete', '@codemirror/commands', '@codemirror/lang-yaml', '@codemirror/language', '@codemirror/lint'],
    ...['@codemirror/merge', '@codemirror/search', '@codemirror/state', '@codemirror/view', '@lezer/highlight', 'yaml'],
    ...['@xyflow/react', 'elkjs'],
    ...['@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono'],
  ])
  expect(broken(console, ({ to, ours }) => !ours && !packages.has(to))).toEqual([])
  expect(broken(console, ({ to, ours }) => ours && !to.startsWith('console') && to !== 'runtime/api/index.ts')).toEqual([])
  const withValues = [...new Set(console.map(({ from }) => from))].filter((from) =>
    /^import (?!type )[^\n]*'[./]+runtime\//m.test(readFileSync(join(root, from), 'utf8')),
  )
  expect(withValues).toEqual([])
  expect(broken(production, ({ to, ours }) => ours && to.startsWith('console'))).toEqual([])
})

test('only egress opens a socket to the outside', () => {
  const network = new Set(['node:net', 'node:tls', 'node:http', 'node:https', 'node:http2', 'node:dgram', 'node:dns'])
  const allowed = (from: string): boolean =>
    from.startsWith('runtime/egress/') ||
    from.startsWith('runtime/relay/agent/') ||
    from.startsWith('runtime/storage/mongodb/') ||
    from.startsWith('runtime/queue/bullmq/')
  // HTTP/2 goes through the tunnel, and opens no socket.
  const inTunnel = (from: string, to: string): boolean => from.startsWith('runtime/relay/') && to === 'node:http2'
  const typesOnly = (from: string): boolean =>
    !/^import (?!type)[^\n]*'node:(net|tls|https?|http2|dgram|dns)'/m.test(readFileSync(join(root, from), 'utf8'))
  expect(broken(production, ({ from, to }) => network.has(to) && !allowed(from) && !typesOnly(from) && !inTunnel(from, to))).toEqual([])
  // The global `fetch` would bypass egress. Only the command line uses it, to call Tocsin itself.
  const fetching = [...new Set(production.map(({ from }) => from))].filter((from) =>
    /(?:await|return|=)\s+fetch\(/.test(readFileSync(join(root, from), 'utf8')),
  )
  expect(fetching).toEqual(['runtime/cli/client.ts'])
})

test('the agent, which runs at the customer, loads no package but the WebSocket, and nothing of the runtime but the tunnel', () => {
  const agent = production.filter(({ from }) => /^runtime\/relay\/(agent|link)\//.test(from))
  expect(agent.length).toBeGreaterThan(10)
  const typesOnly = (from: string): boolean => !/^import (?!type)[^\n]*\/domain\//m.test(readFileSync(join(root, from), 'utf8'))
  const allowed = ({ from, to, ours }: Import): boolean => {
    if (!ours) return to === 'ws' || to.startsWith('node:')
    return /^runtime\/relay\/(agent|link)\//.test(to) || (to === 'runtime/domain/index.ts' && typesOnly(from))
  }
  expect(broken(agent, (one) => !allowed(one))).toEqual([])
})

test('only connection opens the vault', () => {
  expect(broken(production, ({ from, to, ours }) => ours && to.startsWith('runtime/connection/vault') && roomOf(from) !== 'connection')).toEqual([])
})

test('plugins import their own files, packages, and the published types of the runtime', () => {
  const plugins = [...sources('plugins'), ...sources('runtime').filter(isPlugin)].flatMap(importsOf).filter(({ from }) => !isTest(from))
  expect(plugins.length).toBeGreaterThan(0)
  expect(broken(plugins, ({ to, ours }) => ours && to.startsWith('runtime') && !isPlugin(to))).toEqual([])
  const packages = new Set(['@tocsin/plugin', ...Object.keys(manifest.dependencies)])
  expect(broken(plugins, ({ to, ours }) => !ours && !packages.has(to))).toEqual([])
})

test('every package that is imported is declared, and Node modules are named with node:', () => {
  const declared = new Set(Object.keys(manifest.dependencies))
  expect(broken(production, ({ to, ours }) => !ours && !to.startsWith('node:') && !declared.has(to))).toEqual([])
  expect(broken(runtime, ({ to, ours }) => !ours && builtinModules.includes(to) && !to.startsWith('node:'))).toEqual([])
})
