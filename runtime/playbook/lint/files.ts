import { parseYaml, type YamlDocument } from '../../yaml/index.ts'
import { sourcesOf, withPlaybooks } from '../compile/index.ts'
import { type Finding, inOrder } from '../findings/index.ts'
import { playbookLimits } from '../limits.ts'
import type { FindingCode } from '../registry/index.ts'
import { Clashes } from './clashes.ts'
import { lintPlaybook } from './lint.ts'
import type { LintWorld } from './world.ts'

export interface PlaybookFile {
  readonly file: string
  readonly text: string
}

/** Returns what is wrong with each file and between files: file by file in the given order, then by line. */
export function lintFiles(files: readonly PlaybookFile[], world: LintWorld): readonly Finding<FindingCode>[] {
  const clashes = new Clashes()
  const whole = withPlaybooks(world, sourcesOf(files))
  return files.flatMap(({ file, text }) => {
    const findings = lintPlaybook(text, file, whole)
    const document = readable(text, file)
    const more = document === null ? [] : clashes.of(document)
    return inOrder([...findings, ...more.filter((own) => !findings.some(({ line, column }) => line === own.line && column === own.column))])
  })
}

/** Returns null if the YAML is wrong. `lintPlaybook` has reported that. */
function readable(text: string, file: string): YamlDocument | null {
  try {
    return parseYaml(text, file, playbookLimits)
  } catch {
    return null
  }
}
