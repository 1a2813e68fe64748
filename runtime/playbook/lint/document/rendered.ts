import { isObject, type Json } from '../../../domain/index.ts'
import { closingExpressions, type Expression, expressionsOf } from './expressions.ts'
import { outlineOf, withNested } from './outline.ts'

/** Returns every value of a playbook whose templates are rendered. */
export function renderedIn(root: Readonly<Record<string, Json>>): readonly Expression[] {
  const steps = [...withNested(outlineOf(root['steps'], ['steps']))].flatMap(expressionsOf)
  return [...openingExpressions(root), ...steps, ...closingExpressions(root)]
}

/** Returns what is rendered before the first step. */
function openingExpressions(root: Readonly<Record<string, Json>>): readonly Expression[] {
  const opening = isObject(root['case']) ? root['case'] : {}
  const join = isObject(opening['join']) ? opening['join'] : {}
  const duplicates = isObject(root['duplicates']) ? root['duplicates'] : {}
  return [
    ...(opening['title'] === undefined ? [] : [{ form: 'value' as const, path: ['case', 'title'], value: opening['title'] }]),
    ...(join['key'] === undefined ? [] : [{ form: 'value' as const, path: ['case', 'join', 'key'], value: join['key'] }]),
    ...(duplicates['fingerprint'] === undefined
      ? []
      : [{ form: 'value' as const, path: ['duplicates', 'fingerprint'], value: duplicates['fingerprint'] }]),
  ]
}
