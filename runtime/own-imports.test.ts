import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Loads what a start loads. Prints where each import of our own files led, and how many of them Node itself looked for. */
const program = (hook: string | null): string => `
  import { registerHooks } from 'node:module'
  let byNode = 0
  const found = []
  registerHooks({
    resolve(name, context, next) {
      if (name.startsWith('.') && name.endsWith('.ts')) byNode++
      return next(name, context)
    },
  })
  ${hook === null ? '' : `await import('${hook}')`}
  registerHooks({
    resolve(name, context, next) {
      const { url, format } = next(name, context)
      if (name.startsWith('.') && name.endsWith('.ts')) found.push([context.parentURL, name, url, format].join(' '))
      return { url, format, shortCircuit: true }
    },
  })
  await import('${new URL('app/start.ts', import.meta.url).href}')
  console.log(JSON.stringify({ found: found.sort(), byNode }))
`

interface Loaded {
  readonly found: readonly string[]
  readonly byNode: number
}

function load(hook: string | null): Loaded {
  const run = ['--input-type=module', '--eval', program(hook)]
  return JSON.parse(execFileSync(process.execPath, run, { encoding: 'utf8', maxBuffer: 64 * 1_024 * 1_024 })) as Loaded
}

test('each import leads to where Node itself would find it, as the same kind of file, without asking Node', () => {
  const ours = load(new URL('own-imports.js', import.meta.url).href)
  const nodes = load(null)
  expect(ours.found).toEqual(nodes.found)
  expect(nodes.byNode).toBe(nodes.found.length)
  expect(nodes.byNode).toBeGreaterThan(3_000)
  expect(ours.byNode).toBe(0)
})
