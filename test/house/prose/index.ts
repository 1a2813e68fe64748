import { reporter } from 'vfile-reporter'
import { lintProse, pageAt, pages } from './lint.ts'
import { registryTexts } from './texts.ts'

/**
 * `npm run prose [page …]`: what is wrong with the prose of the pages and of the registries (errors, findings, settings, commands), or of
 * the named pages only. Ends with 1 if there is anything.
 */
const named = process.argv.slice(2)
const read = await lintProse(named.length > 0 ? named.map(pageAt) : [...pages().map(pageAt), ...registryTexts()])
const report = reporter([...read], { quiet: true })
if (report !== '') {
  console.error(report)
  process.exitCode = 1
}
