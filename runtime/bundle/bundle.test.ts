import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundle, bundleText, TooCostly } from './index.ts'

const text = { bundle: true, write: false, format: 'iife', platform: 'neutral', logLevel: 'silent' } as const
const stdin = (contents: string) => ({ ...text, stdin: { contents, loader: 'ts' as const } })

/** Returns the names of the environment variables of esbuild's long-lived process. */
function environmentOfService(): readonly string[] {
  const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
  const pid = /^\s*(\d+) .*--ping/m.exec(children)?.[1]
  const variables = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .filter((variable) => variable !== '')
  return variables.map((variable) => variable.split('=')[0] ?? '')
}

test('no process of esbuild is given the environment', async () => {
  process.env['CANARY_OF_BUNDLE'] = 'secret'
  const made = await bundle(stdin('export const a: number = 1; console.log(a)'))
  expect(made.outputFiles[0]?.text).toContain('console.log(a)')
  // The shell adds its working directory.
  expect(environmentOfService().toSorted()).toEqual(['PWD', 'TOCSIN_ESBUILD'])
  expect(process.env['CANARY_OF_BUNDLE']).toBe('secret')
  expect(process.env['ESBUILD_BINARY_PATH']).toBeUndefined()
})

test('a mistake in a text is told as esbuild tells it', () => {
  expect(() => bundleText(stdin('export default ('))).toThrow(
    expect.objectContaining({ errors: [expect.objectContaining({ text: expect.any(String) })] }),
  )
  expect(bundleText(stdin('console.log(1 as number)')).outputFiles[0]?.text).toContain('console.log(1)')
})

// Without limits, each of these takes minutes and gigabytes.
test.each([
  ['conditions before arrows', `export default () => ${'a ? (b) : c => '.repeat(25)}1`],
  ['arrows in arrows', `export default ${'(a) => '.repeat(5_000)}1`],
  ['what may be arguments of a type', `export default () => ${'a<'.repeat(20_000)}1`],
  ['blocks in blocks', `${'{'.repeat(20_000)}${'}'.repeat(20_000)}export default () => 1`],
])('is ended when it takes too much: %s', (_what, source) => {
  expect(() => bundleText(stdin(source))).toThrow(TooCostly)
})
