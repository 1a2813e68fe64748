import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const textOf = (page: string): string => readFileSync(new URL(page, root), 'utf8')

/** Returns the paths between backticks of a page. Leaves out commands and placeholders (`plugins/<id>/`). */
function namedIn(page: string): readonly string[] {
  const spans = [...textOf(page).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
  return spans.filter((span) => /^[\w.-]+\/[\w./-]*$/.test(span) || /^[\w.-]+\.(?:ts|md|json|yaml|yml)$/.test(span))
}

test.each([
  ['ARCHITECTURE.md', 50],
  ['docs/guides/house.md', 50],
  ['CONTRIBUTING.md', 5],
  ['docs/reference/guarantees.md', 2],
  ['docs/reference/guarantees/alerts.md', 3],
  ['docs/reference/guarantees/investigations.md', 8],
  ['docs/reference/guarantees/writes.md', 5],
] as const)('every file that %s names exists', (page, least) => {
  const named = namedIn(page)
  expect(named.length).toBeGreaterThanOrEqual(least)
  // A name without a folder is in the folder of the file that was named before it.
  let folder = ''
  const missing = named.filter((name) => {
    if (name.includes('/')) folder = name.slice(0, name.lastIndexOf('/') + 1)
    return !existsSync(new URL(name, root)) && (name.includes('/') || !existsSync(new URL(`${folder}${name}`, root)))
  })
  expect(missing).toEqual([])
})

test('the commands that pages name are scripts of package.json', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: object }
  const own = new Set(Object.keys(scripts))
  const pages = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'docs/guides/house.md']
  const named = pages.flatMap((page) => [...textOf(page).matchAll(/\bnpm run (?:-s )?([a-z]+)/g)].map(([, name = '']) => name))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !own.has(name))).toEqual([])
})

test('.nvmrc and package.json pin the same version of Node', () => {
  const { dependencies } = JSON.parse(textOf('package.json')) as { readonly dependencies: { readonly node: string } }
  expect(textOf('.nvmrc').trim()).toBe(dependencies.node)
})

test('docker-compose.yml, the workflow and CONTRIBUTING.md name the same MongoDB and Redis', () => {
  const images = (text: string): readonly string[] => [...new Set(text.match(/\b(?:mongo|redis):\d+\.\d+\.\d+/g))].sort()
  expect(images(textOf('docker-compose.yml'))).toHaveLength(2)
  expect(images(textOf('.github/workflows/ci.yml'))).toEqual(images(textOf('docker-compose.yml')))
  expect(images(textOf('CONTRIBUTING.md'))).toEqual(images(textOf('docker-compose.yml')))
})
