import { reporter } from 'vfile-reporter'
import { lintProse, pageAt, pages } from './lint.ts'
import { registryTexts } from './texts.ts'

/**
 * `npm run prose [page …]`: checks the prose of all pages and registries (errors, findings, settings, commands), or of the named pages.
 * The exit status is 1 if it finds a mistake.
 */
const named = process.argv.slice(2)
const read = await lintProse(named.length > 0 ? named.map(pageAt) : [...pages().map(pageAt), ...(await registryTexts())])
const report = reporter([...read], { quiet: true })
if (report !== '') {
  console.error(report)
  process.exitCode = 1
}
