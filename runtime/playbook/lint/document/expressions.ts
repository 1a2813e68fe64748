import { isObject, type Json } from '../../../domain/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'
import type { StepNode } from './outline.ts'

/** A place of the file that is evaluated while a run goes: a value with templates, or a condition. */
export interface Expression {
  readonly form: 'value' | 'condition'
  readonly path: DocumentPath
  readonly value: Json
}

/** What of a step's own (not of the steps in it) is evaluated before it is done, without its `if` and what chooses a branch. */
export function expressionsOf({ kind, value, path }: StepNode): readonly Expression[] {
  switch (kind) {
    case 'skill':
    case 'playbook':
    case 'script':
      return values(value, path, ['with'])
    case 'set':
      return values(value, path, ['set'])
    case 'foreach':
      return values(value, path, ['foreach'])
    case 'case':
      return values(value['case'], [...path, 'case'], ['note', 'finding'])
    case 'stop':
      return values(value['stop'], [...path, 'stop'], ['reason'])
    case 'approve':
      return values(value['approve'], [...path, 'approve'], ['title'])
    case 'wait': {
      const wait = isObject(value['wait']) ? value['wait'] : {}
      const poll = values(wait['poll'], [...path, 'wait', 'poll'], ['with'])
      // `until` of a poll reads `output`, so it is a condition; that of a wait is a time.
      const until = wait['poll'] === undefined ? values(wait, [...path, 'wait'], ['until']) : []
      return [...poll, ...until]
    }
    default:
      return []
  }
}

/** What of a playbook outside its steps is evaluated when they are done. */
export function closingExpressions(root: Readonly<Record<string, Json>>): readonly Expression[] {
  return [...values(root['verdict'], ['verdict'], ['summary']), ...values(root, [], ['outputs'])]
}

function values(holder: Json | undefined, path: DocumentPath, keys: readonly string[]): readonly Expression[] {
  if (!isObject(holder)) return []
  return keys.flatMap((key) => {
    const value = holder[key]
    return value === undefined ? [] : [{ form: 'value' as const, path: [...path, key], value }]
  })
}
