import { writeFileSync } from 'node:fs'
import { generatedFiles, root } from './generated.ts'

/** `npm run generate`: writes every file that is generated. */
for (const [path, text] of await generatedFiles()) writeFileSync(new URL(path, root), text)
