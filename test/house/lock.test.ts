import { expect, test } from 'vitest'
import { tidyLock } from './lock.ts'

const lock = (packages: object): string => JSON.stringify({ name: 'x', lockfileVersion: 3, packages })
const tidied = (packages: object): Record<string, object> => JSON.parse(tidyLock(lock(packages))).packages

test("the Node version that a package requires is removed, except for our own package's", () => {
  expect(tidied({ '': { engines: { node: '>=20' } }, 'node_modules/a': { version: '1.0.0', engines: { node: '>=24' } } })).toEqual({
    '': { engines: { node: '>=20' } },
    'node_modules/a': { version: '1.0.0' },
  })
})

test('an optional package without an entry gets one, with its version and its system', () => {
  const binaries = { '@a/b-linux-x64-musl': '1.2.3', '@a/b-win32-arm64-msvc': '1.2.3', 'b-darwin-arm64': '1.2.3' }
  const packages = {
    'node_modules/a': { version: '1.2.3', dev: true, optionalDependencies: binaries },
    'node_modules/b-darwin-arm64': { version: '1.2.3', integrity: 'sha512-x' },
  }
  expect(tidied(packages)).toEqual({
    ...packages,
    'node_modules/@a/b-linux-x64-musl': { version: '1.2.3', cpu: ['x64'], dev: true, libc: ['musl'], optional: true, os: ['linux'] },
    'node_modules/@a/b-win32-arm64-msvc': { version: '1.2.3', cpu: ['arm64'], dev: true, optional: true, os: ['win32'] },
  })
})

test('an optional package is found in the folder of the package that needs it, and above', () => {
  const inner = { version: '1.0.0', optionalDependencies: { 'c-linux-x64': '1.0.0' } }
  const packages = { 'node_modules/a/node_modules/b': inner, 'node_modules/a/node_modules/c-linux-x64': { version: '1.0.0' } }
  expect(tidied(packages)).toEqual(packages)
})

test('an optional package of another version does not count', () => {
  const packages = {
    'node_modules/b': { version: '2.0.0', optionalDependencies: { 'c-linux-x64': '2.0.0' } },
    'node_modules/c-linux-x64': { version: '2.0.0' },
    'node_modules/a/node_modules/b': { version: '1.0.0', optionalDependencies: { 'c-linux-x64': '1.0.0' } },
    'node_modules/d': { version: '3.0.0', optionalDependencies: { 'c-linux-x64': '3.0.0' } },
  }
  const made = (version: string): object => ({ version, cpu: ['x64'], optional: true, os: ['linux'] })
  expect(tidied(packages)).toEqual({
    ...packages,
    'node_modules/a/node_modules/c-linux-x64': made('1.0.0'),
    'node_modules/d/node_modules/c-linux-x64': made('3.0.0'),
  })
})

test('an optional package with an unknown system or version is refused', () => {
  const wants = (name: string, version: string): object => ({ 'node_modules/a': { version: '1.0.0', optionalDependencies: { [name]: version } } })
  expect(() => tidied(wants('odd-binary', '1.0.0'))).toThrow(/does not say which system/)
  expect(() => tidied(wants('b-linux-x64', '^1.0.0'))).toThrow(/is not one version/)
})
