import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

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
