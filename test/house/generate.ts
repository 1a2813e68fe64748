import { mkdirSync, writeFileSync } from 'node:fs'
import { generatedFiles, root } from './generated.ts'

/** `npm run generate`: writes every generated file. */
for (const [path, text] of await generatedFiles()) {
  const file = new URL(path, root)
  mkdirSync(new URL('.', file), { recursive: true })
  writeFileSync(file, text)
}
