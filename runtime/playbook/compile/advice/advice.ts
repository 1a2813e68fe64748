import type { Json } from '../../../domain/index.ts'
import type { Fault } from '../../../yaml/index.ts'
import type { Compilation } from '../compilation.ts'
import { formAdvice } from './form-advice.ts'
import { type Advice, meaning, ownWord } from './meaning.ts'

const nothing: Advice = { told: '' }
const truths = new Map(Object.entries({ true: true, yes: true, on: true, y: true, false: false, no: false, off: false, n: false }))

/** Returns advice for a value that does not fit: how to write what was probably meant. */
export function adviceOf(fault: Fault, value: Json | undefined, { document, lookup }: Compilation): Advice {
  const { path, message } = fault
  const span = document.span(path)
  if (span === null || value === undefined) return nothing
  const written = document.text.slice(span.start, span.end)
  // A value that looks right is a text: `format: "1"`.
  if (message === `must be ${value}`) return scalarAdvice(value, 'must be a number', written)
  if (message === 'must be true or false' || /^must be (?:an integer|a number)$/.test(message)) return scalarAdvice(value, message, written)
  const form = formAdvice(fault, value, written)
  if (form !== null) return form
  if (path.at(-1) === 'if' || path.at(-1) === 'when' || path.at(-1) === 'until') return conditionAdvice(value, written)
  if (message.startsWith('must be one of') || path.at(-1) === 'on_error') return wordAdvice(path.at(-1) ?? '', value, written)
  if (message.startsWith('must be a duration')) return durationAdvice(value, written)
  if (message === 'must be <integration>.<skill>' && typeof value === 'string') {
    const owners = lookup.integrations().filter((integration) => lookup.skill(integration, value) !== null)
    const [only] = owners
    if (only !== undefined)
      return owners.length === 1 ? meaning(value, `${only}.${value}`) : { told: `: ${owners.map((one) => `${one}.${value}`).join(', ')}` }
  }
  return nothing
}

/** Returns advice for text in place of true, false or a number. @param needed the message that names what is needed */
export function scalarAdvice(value: Json, needed: string, written: string): Advice {
  if (typeof value !== 'string') return nothing
  const quoted = /^['"]/.test(written)
  if (needed.includes('true or false') || needed.includes('boolean')) {
    const truth = truths.get(value.toLowerCase())
    if (truth === undefined) return nothing
    const why = quoted ? `${written} is text` : `YAML 1.2 reads \`${written}\` as text; it has only \`true\` and \`false\``
    return { told: `: ${why}; write \`${truth}\``, misspelt: { name: written, meant: String(truth) } }
  }
  if (!/\b(?:integer|number)\b/.test(needed) || !/^-?\d{1,15}(?:\.\d+)?$/.test(value) || (needed.includes('integer') && value.includes('.')))
    return nothing
  return { told: `, and ${written} is text; write ${value} without quotes`, misspelt: { name: written, meant: value } }
}

const units: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ ms: 'ms', msec: 'ms', millis: 'ms', millisecond: 'ms', milliseconds: 'ms', s: 's', sec: 's', secs: 's', second: 's', seconds: 's' },
    ...{ m: 'm', min: 'm', mins: 'm', minute: 'm', minutes: 'm', h: 'h', hr: 'h', hrs: 'h', hour: 'h', hours: 'h', d: 'd', day: 'd', days: 'd' },
  }),
)

/** Durations of other products: `PT5M`, `5 minutes`, `300`. */
function durationAdvice(value: Json, written: string): Advice {
  if (typeof value === 'number') return { told: `; a number has no unit: \`${value}s\` is seconds, \`${value}ms\` milliseconds` }
  if (typeof value !== 'string') return nothing
  const iso = /^P(?:(\d+)D|T(\d+)([HMS]))$/i.exec(value)
  const [, amount, unit = ''] = iso === null ? (/^(\d{1,9})\s*([a-z]+)$/i.exec(value) ?? []) : [value, iso[1] ?? iso[2], iso[3] ?? 'd']
  const short = units.get(unit.toLowerCase())
  // Where a duration must be more than 0, no other spelling of 0 is right.
  return amount === undefined || short === undefined || Number(amount) === 0 ? nothing : meaning(written, `${amount}${short}`)
}

function wordAdvice(key: string, value: Json, written: string): Advice {
  if (typeof value !== 'string') return nothing
  const meant = ownWord(key, value.replaceAll(/[ -]/g, '_'))
  if (meant === undefined) return nothing
  return meant.startsWith('=') ? meaning(written, meant.slice(1)) : { told: `; the closest is \`${meant}\`` }
}

/** A condition written as text: `inputs.user == 'ada'`. */
function conditionAdvice(value: Json, written: string): Advice {
  if (typeof value !== 'string') return nothing
  const text = value.replace(/^\s*\$?\{\{-?\s*|\s*-?\}\}\s*$/g, '').trim()
  const path = /^[A-Za-z_]\w*(?:\.\w+)+$/
  if (path.test(text)) return meaning(written, `{ var: ${text} }`)
  const [, left = '', operator = '', right = ''] = /^([\w.]+)\s*(==|!=|<=|>=|<|>)\s*('[^']*'|"[^"]*"|-?\d+|true|false)$/.exec(text) ?? []
  if (path.test(left)) return meaning(written, `{ '${operator}': [{ var: ${left} }, ${right}] }`)
  return { told: "; conditions are JSON Logic, such as { '==': [{ var: inputs.user }, ada] }" }
}
