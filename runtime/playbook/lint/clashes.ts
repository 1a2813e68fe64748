import { isObject, type Json, normaliseType } from '../../domain/index.ts'
import type { DocumentPath, YamlDocument } from '../../yaml/index.ts'
import { type Finding, type FindingEntry, findingsOf } from '../findings/index.ts'

/** The codes of clashes between files that are checked together. */
export const clashCodes = {
  alert_type_taken: {
    severity: 'error',
    title: 'Another file handles this alert type',
    why: 'Only one playbook is active for an alert type, so the second one would be refused. Lint compares the files that are checked together.',
    wrong: 'alert_type: taken',
    right: 'alert_type: free',
  },
  alert_type_repeated: {
    severity: 'warning',
    title: 'An alert type is listed twice',
    why: 'The comparison of alert types ignores case and surrounding spaces. The second entry has no effect.',
    wrong: 'alert_type: [mfa_fatigue, MFA_Fatigue]',
    right: 'alert_type: [mfa_fatigue, mfa_push_bombing]',
  },
  playbook_name_taken: {
    severity: 'error',
    title: 'Another file has a playbook with this name',
    why: 'Runs, cases and tests refer to a playbook by its name. If two have the same name, nobody can tell which is meant.',
    wrong: 'playbook: taken',
    right: 'playbook: example',
  },
} as const satisfies Record<string, FindingEntry>

export type ClashCode = keyof typeof clashCodes

export const clash = findingsOf<ClashCode>(clashCodes)

/** Finds playbook names and alert types that occur in two files. Call `of` for each file in turn. */
export class Clashes {
  /** The file of each playbook name. */
  readonly #names = new Map<string, string>()
  /** The file of each normalised alert type. */
  readonly #types = new Map<string, string>()

  of(document: YamlDocument): readonly Finding<ClashCode>[] {
    const { file } = document
    const found: Finding<ClashCode>[] = []
    const report = (code: ClashCode, path: DocumentPath, message: string): void => {
      found.push(clash(code, { field: path.join('.'), message, ...document.locate(path) }))
    }
    const root: Readonly<Record<string, Json>> = isObject(document.value) ? document.value : {}
    const { playbook: name, alert_type: type } = root
    if (typeof name === 'string') {
      const other = this.#names.get(name)
      if (other !== undefined) report('playbook_name_taken', ['playbook'], `${other} is already the playbook \`${name}\``)
      else this.#names.set(name, file)
    }
    const listed = Array.isArray(type)
    for (const [index, item] of (listed ? (type as readonly Json[]) : [type]).entries()) {
      if (typeof item !== 'string') continue
      const path = listed ? ['alert_type', index] : ['alert_type']
      const key = normaliseType(item)
      const other = this.#types.get(key)
      if (other === file) report('alert_type_repeated', path, `\`${item}\` is already in the list; the comparison of alert types ignores case`)
      else if (other !== undefined) report('alert_type_taken', path, `${other} is already the playbook for the alert type \`${item}\``)
      else this.#types.set(key, file)
    }
    return found
  }
}
