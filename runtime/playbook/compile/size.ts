import type { Json } from '../../domain/index.ts'
import { isTemplate } from '../../expressions/index.ts'
import { mostSteps, mostTemplates } from '../limits.ts'
import { type Compilation, Enough } from './compilation.ts'
import { findSteps } from './names/index.ts'

/**
 * Refuses a document with too many steps or templates, before any of them is compiled.
 * @throws Enough
 */
export function checkSize(compilation: Compilation, root: Readonly<Record<string, Json>>): void {
  let steps = 0
  for (const { path } of findSteps(root['steps'], ['steps'])) {
    steps += 1
    if (steps > mostSteps) refuse(compilation, path, `a playbook has at most ${mostSteps} steps, including nested ones`)
  }
  let templates = 0
  for (const { path } of templatesIn(root, [])) {
    templates += 1
    if (templates > mostTemplates) refuse(compilation, path, `a playbook has at most ${mostTemplates} texts with templates`)
  }
}

function refuse(compilation: Compilation, path: readonly (string | number)[], message: string): never {
  compilation.fault('playbook_too_large', path, message)
  throw new Enough()
}

function* templatesIn(value: Json, path: readonly (string | number)[]): Generator<{ readonly path: readonly (string | number)[] }> {
  if (typeof value === 'string') {
    if (isTemplate(value)) yield { path }
    return
  }
  if (typeof value !== 'object' || value === null) return
  const entries = Array.isArray(value) ? [...(value as readonly Json[]).entries()] : Object.entries(value as Readonly<Record<string, Json>>)
  for (const [key, item] of entries) yield* templatesIn(item, [...path, key])
}
