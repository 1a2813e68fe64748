import { isObject, type Json } from '../../../domain/index.ts'
import { durationPattern } from '../../../formats/index.ts'
import type { Fault } from '../../../yaml/index.ts'
import { type Advice, meaning, wordMeant } from './meaning.ts'

/** Returns advice for a text, number or list in place of a mapping or a list. Null if nobody knows what was meant. */
export function formAdvice({ path, message }: Fault, value: Json, written: string): Advice | null {
  if (message.startsWith('must be a mapping')) return mappingAdvice(path, value, written)
  if (message === 'must be a list' || message.endsWith('or a list')) return listAdvice(path, value, written)
  if (path.at(-2) === 'parallel' && path.at(-1) === 'join' && typeof value === 'number') return meaning(written, `{ at_least: ${value} }`)
  if (path.at(-3) === 'switch' && path.at(-1) === 'default' && Array.isArray(value)) return { told: '; its steps are beside it, in `steps`' }
  return path.at(-1) === 'script' && isObject(value) ? { told: ': write the code itself, in a block after `|`' } : null
}

function mappingAdvice(path: readonly string[], value: Json, written: string): Advice | null {
  const [top = '', name] = path
  if ((top === 'inputs' || top === 'connections') && name !== undefined) return path.length === 2 ? declaredAdvice(top, value, written) : null
  const key = path.at(-1) ?? ''
  if (Array.isArray(value) || key === 'with' || key === 'set') return namedAdvice(key)
  if (key === 'retry') return { told: '; `{ attempts: 3 }` tries three times in total' }
  if (key === 'stop') {
    const outcome = typeof value === 'string' ? wordMeant('outcome', value) : undefined
    return outcome === undefined ? { told: '; write `{ outcome: completed }` or `{ outcome: failed }`' } : meaning(written, `{ outcome: ${outcome} }`)
  }
  if (key === 'wait' && typeof value === 'number') return { told: `; a number has no unit: \`{ for: ${value}s }\` is seconds` }
  return typeof value === 'string' ? oneKeyAdvice(keyOfText(path, value), written) : null
}

/** Returns advice for an input that is only a type, or a slot that is only an integration. */
function declaredAdvice(top: 'inputs' | 'connections', value: Json, written: string): Advice | null {
  if (typeof value !== 'string') return null
  if (top === 'connections') return oneKeyAdvice('integration', written)
  const type = wordMeant('type', value)
  return type === undefined ? null : meaning(written, `{ type: ${type} }`)
}

function oneKeyAdvice(key: string | null, written: string): Advice | null {
  const flow = inFlow(written)
  return key === null || flow === null ? null : meaning(written, `{ ${key}: ${flow} }`)
}

/** Returns the key that a text in place of a mapping stands for. */
function keyOfText(path: readonly string[], value: string): string | null {
  const key = path.at(-1)
  if (path.length === 1) return key === 'case' ? 'title' : key === 'verdict' ? 'summary' : null
  if (key === 'wait') return new RegExp(durationPattern).test(value) ? 'for' : 'until'
  return key === 'case' ? 'note' : key === 'approve' ? 'title' : null
}

function namedAdvice(key: string): Advice | null {
  if (key === 'parallel' || key === 'branches') return { told: '; each branch has a name: `branches: { <name>: [<steps>] }`' }
  return ['with', 'set', 'inputs', 'outputs', 'connections'].includes(key) ? { told: '; write `<name>: <value>`, without `- ` before it' } : null
}

function listAdvice(path: readonly string[], value: Json, written: string): Advice | null {
  const key = path.at(-1) ?? ''
  if (typeof value === 'string' && ['by', 'from', 'on'].includes(key)) {
    const flow = inFlow(written)
    return flow === null ? null : meaning(written, `[${flow}]`)
  }
  if (!isObject(value)) return null
  if (key === 'switch') return { told: '; each case is `- when: <condition>` with `steps`, and the last one is `- default: true` with `steps`' }
  if (path.at(-2) === 'branches' && value['steps'] !== undefined)
    return { told: '; write the steps directly below the name of the branch, without `steps`' }
  return value['id'] === undefined ? null : { told: '; write `- ` before the step, even if it is the only one' }
}

/** Returns the text in a form that is valid in `{ … }` and `[ … ]`. Null if it has several lines. */
function inFlow(written: string): string | null {
  if (written.includes('\n')) return null
  return /^['"]/.test(written) || !/[,[\]{}#]|:(?:\s|$)/.test(written) ? written : `'${written.replaceAll("'", "''")}'`
}
