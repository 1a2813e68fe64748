import { isObject, type Json, normaliseType } from '../../domain/index.ts'
import { parseYaml, type YamlDocument } from '../../yaml/index.ts'
import { sourcesOf, withPlaybooks } from '../compile/index.ts'
import { type Finding, type FindingCode, finding, inOrder } from '../findings/index.ts'
import { playbookLimits } from '../limits.ts'
import { lintPlaybook } from './lint.ts'
import type { LintWorld } from './world.ts'

export interface PlaybookFile {
  readonly file: string
  readonly text: string
}

/** What is wrong with playbook files, each by itself and beside the others; by file in the given order, then by line. */
export function lintFiles(files: readonly PlaybookFile[], world: LintWorld): readonly Finding[] {
  const names = new Map<string, string>()
  const types = new Map<string, string>()
  const whole = withPlaybooks(world, sourcesOf(files))
  return files.flatMap(({ file, text }) => {
    const findings = lintPlaybook(text, file, whole)
    const document = readable(text, file)
    const more = document === null ? [] : besideOthers(document, names, types)
    return inOrder([...findings, ...more.filter((own) => !findings.some(({ line, column }) => line === own.line && column === own.column))])
  })
}

/** Null of a file whose YAML is wrong: that is said already. */
function readable(text: string, file: string): YamlDocument | null {
  try {
    return parseYaml(text, file, playbookLimits)
  } catch {
    return null
  }
}

function besideOthers(document: YamlDocument, names: Map<string, string>, types: Map<string, string>): readonly Finding[] {
  const { file } = document
  const found: Finding[] = []
  const report = (code: FindingCode, path: readonly (string | number)[], message: string): void => {
    found.push(finding(code, { field: path.join('.'), message, ...document.locate(path) }))
  }
  const root: Readonly<Record<string, Json>> = isObject(document.value) ? document.value : {}
  const { playbook: name, alert_type: type } = root
  if (typeof name === 'string') {
    const other = names.get(name)
    if (other !== undefined) report('playbook_name_taken', ['playbook'], `${other} is the playbook \`${name}\` already`)
    else names.set(name, file)
  }
  const listed = Array.isArray(type)
  for (const [index, item] of (listed ? (type as readonly Json[]) : [type]).entries()) {
    if (typeof item !== 'string') continue
    const path = listed ? ['alert_type', index] : ['alert_type']
    const key = normaliseType(item)
    const other = types.get(key)
    if (other === file) report('alert_type_repeated', path, `\`${item}\` is in the list already; alert types are compared without regard to case`)
    else if (other !== undefined) report('alert_type_taken', path, `${other} is the playbook of the alert type \`${item}\` already`)
    else types.set(key, file)
  }
  return found
}
