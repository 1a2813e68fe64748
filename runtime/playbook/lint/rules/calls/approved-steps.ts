import { isObject, type Json } from '../../../../domain/index.ts'
import type { DocumentPath } from '../../../../yaml/index.ts'
import { type StepNode, withNested } from '../../document/index.ts'
import type { Subject } from '../../rule.ts'

/** One entry of `covers` in an `approve` step. */
export interface Cover {
  readonly approve: StepNode
  /** The id of the covered step. */
  readonly id: string
  readonly path: DocumentPath
}

/** Returns every entry of `covers` in the playbook. */
export function coversIn({ flow }: Subject): readonly Cover[] {
  return [...withNested(flow.steps)].filter(({ kind }) => kind === 'approve').flatMap(coversOf)
}

function coversOf(approve: StepNode): readonly Cover[] {
  const { value, path } = approve
  const covers = isObject(value['approve']) ? value['approve']['covers'] : undefined
  const at = [...path, 'approve', 'covers']
  if (typeof covers === 'string') return [{ approve, id: covers, path: at }]
  if (!Array.isArray(covers)) return []
  return (covers as readonly Json[]).flatMap((id, index) => (typeof id === 'string' ? [{ approve, id, path: [...at, index] }] : []))
}
