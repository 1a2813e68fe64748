import { isObject, type Json } from '../../../domain/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'
import { kindOf, ownLists, type StepKind } from '../../grammar/index.ts'

/** `unknown`: a step that the grammar refuses. */
type NodeKind = StepKind | 'unknown'

/** One list of steps in a step: a branch, a case, or the body of a loop. */
export interface Branch {
  /** The path of the list. */
  readonly path: DocumentPath
  /** The condition of the branch, and its path. Null if it has none: `else`, `default`, a loop, a parallel branch. */
  readonly when: { readonly path: DocumentPath; readonly rule: Json } | null
  readonly steps: readonly StepNode[]
}

/** A step of the file. It need not fit the grammar. */
export interface StepNode {
  readonly kind: NodeKind
  /** Empty if it has none. */
  readonly id: string
  readonly path: DocumentPath
  readonly value: Readonly<Record<string, Json>>
  /** Its `if`, for kinds other than `if` steps. */
  readonly guard: { readonly path: DocumentPath; readonly rule: Json } | null
  readonly branches: readonly Branch[]
  readonly onError: 'fail' | 'continue' | Branch
}

/** Returns the steps of a list. Skips items that are not mappings. */
export function outlineOf(list: Json | undefined, path: DocumentPath): readonly StepNode[] {
  if (!Array.isArray(list)) return []
  return (list as readonly Json[]).flatMap((step, index) => (isObject(step) ? [nodeOf(step, [...path, index])] : []))
}

/** Yields all steps, each before the steps nested in it. */
export function* withNested(steps: readonly StepNode[]): Generator<StepNode> {
  for (const step of steps) {
    yield step
    for (const list of listsOf(step)) yield* withNested(list.steps)
  }
}

/** Returns every list of steps in a step, including its handler. */
export function listsOf({ branches, onError }: StepNode): readonly Branch[] {
  return typeof onError === 'string' ? branches : [...branches, onError]
}

function nodeOf(value: Readonly<Record<string, Json>>, path: DocumentPath): StepNode {
  const kind = kindOf(value) ?? 'unknown'
  const guard = kind === 'if' || value['if'] === undefined ? null : { path: [...path, 'if'], rule: value['if'] }
  const handler = value['on_error']
  return {
    kind,
    id: typeof value['id'] === 'string' ? value['id'] : '',
    path,
    value,
    guard,
    branches: branchesOf(kind, value, path),
    onError: Array.isArray(handler) ? branch(handler as Json, [...path, 'on_error']) : handler === 'continue' ? 'continue' : 'fail',
  }
}

function branch(steps: Json | undefined, path: DocumentPath, when: Branch['when'] = null): Branch {
  return { path, when, steps: outlineOf(steps, path) }
}

function branchesOf(kind: NodeKind, value: Readonly<Record<string, Json>>, path: DocumentPath): readonly Branch[] {
  if (kind === 'unknown') return []
  return ownLists(kind, value).map(({ part, path: at, value: list, holder }) => {
    const inner = [...path, ...at]
    // A case without `when` is the default. An `if` without a condition does not fit the grammar, so its condition is unknown.
    const rule = part.when === undefined ? undefined : (holder[part.when] ?? (kind === 'if' ? null : undefined))
    const when = part.when === undefined || rule === undefined ? null : { path: [...inner.slice(0, -1), part.when], rule }
    return branch(list, inner, when)
  })
}
