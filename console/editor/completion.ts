import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { PlaybookLanguageView } from '../../runtime/api/index.ts'
import { namesIn, placeAt } from './place.ts'
import { applying, keysOf, member, type Offered, type Schema, valuesOf } from './schema.ts'

/** What an editor completes. */
export interface YamlLanguage {
  readonly schema: PlaybookLanguageView['schema']
  /** Absent if its strings are not templates. */
  readonly filters?: PlaybookLanguageView['filters']
}

/** In characters. A longer text is not parsed again after each word, because that would take too long. */
const longest = 100_000
/** In a longer line, to look for the word at the cursor could take seconds. */
const longestLine = 5_000

/** Offers what fits at a position: keys and values of the schema, and in templates filters and names. */
export function completionOf({ state, pos, explicit }: CompletionContext, language: YamlLanguage | undefined): CompletionResult | null {
  if (language === undefined) return null
  const text = state.doc.toString()
  const line = state.doc.lineAt(pos)
  const before = line.text.slice(0, pos - line.from)
  if (before.length > longestLine) return null
  const inside = language.filters && templateBefore(before)
  if (language.filters && inside != null) return inTemplate(inside, pos, text, language.filters)
  const word = /[\w.$-]*$/.exec(before)?.[0] ?? ''
  if ((word === '' && !explicit && !/[:{[,]\s$|^\s+$|- $/.test(before)) || text.length > longest) return null
  const from = pos - word.length
  const place = placeAt(text, from, pos)
  if (place === null) return null
  const root = language.schema as Schema
  let schemas = applying(root, place.values[0], root)
  for (const [at, key] of place.path.entries()) schemas = member(schemas, key, place.values[at + 1], root)
  const written = place.values.at(-1)
  const known = new Set(typeof written === 'object' && written !== null ? Object.keys(written) : [])
  const options =
    place.part === 'key'
      ? keysOf(schemas)
          .filter(({ name }) => !known.has(name))
          .map((one) => ({ ...optionOf(one, 'property'), apply: `${one.name}: ` }))
      : valuesOf(schemas).map((one) => optionOf(one, 'constant'))
  return options.length === 0 ? null : { from, options, validFor: /^[\w.$-]*$/ }
}

/** Returns the part of a line that belongs to a template that is open at its end. */
function templateBefore(line: string): string | null {
  const open = Math.max(line.lastIndexOf('{{'), line.lastIndexOf('{%'))
  if (open === -1) return null
  const rest = line.slice(open + 2)
  return rest.includes('}}') || rest.includes('%}') ? null : rest
}

function inTemplate(inside: string, pos: number, text: string, filters: PlaybookLanguageView['filters']): CompletionResult | null {
  const filter = /\|\s*(\w*)$/.exec(inside)
  if (filter) {
    const options = filters.map(({ name, text: about, example }) => ({ ...optionOf({ name, text: about }, 'function'), detail: example }))
    return { from: pos - (filter[1] ?? '').length, options, validFor: /^\w*$/ }
  }
  const path = /[\w.-]*$/.exec(inside)?.[0] ?? ''
  const { inputs, steps, slots } = namesIn(text)
  const names: readonly Offered[] = [
    ...['alert_id', 'alert_name', 'alert_type', 'organization_code', 'created_at'].map((name) => ({ name: `alert.${name}`, text: 'The alert' })),
    { name: 'content', text: "The alert's content" },
    ...inputs.map((name) => ({ name: `inputs.${name}`, text: 'An input' })),
    ...steps.flatMap((id) => [
      { name: `steps.${id}.output`, text: 'What the step returned' },
      { name: `steps.${id}.status`, text: 'How the step ended' },
      { name: `steps.${id}.error.code`, text: 'Why the step failed' },
    ]),
    ...slots.map((slot) => ({ name: `connections.${slot}.bound`, text: 'Whether the slot has a connection' })),
    { name: 'vars', text: 'Values that `set` has stored' },
  ]
  return { from: pos - path.length, options: names.map((one) => optionOf(one, 'variable')), validFor: /^[\w.-]*$/ }
}

function optionOf({ name, text }: Offered, type: string): Completion {
  return { label: name, type, ...(text !== '' && { info: text }) }
}
