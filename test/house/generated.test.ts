import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generatedFiles, root } from './generated.ts'

const files = await generatedFiles()

test.each([...files.keys()])('%s is what `npm run generate` makes', (path) => {
  expect(readFileSync(new URL(path, root), 'utf8')).toBe(files.get(path))
})
