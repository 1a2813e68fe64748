import { isObject, type Json } from '../../../../domain/index.ts'
import type { DocumentPath } from '../../../../yaml/index.ts'
import { renderedIn, stringsIn, withNested } from '../../document/index.ts'
import type { Report, Rule, Subject } from '../../rule.ts'

/** Values that YAML reads otherwise than they look. */
export const scalars: Rule = {
  codes: ['boolean_as_text', 'number_leading_zero', 'text_cut_by_comment'],
  check(subject, report) {
    for (const step of withNested(subject.flow.steps)) if (step.kind === 'set') checkSet(step.value['set'], [...step.path, 'set'], subject, report)
    for (const { path, value } of renderedIn(subject.root)) {
      checkNumbers(value, path, subject, report)
      for (const { path: at } of stringsIn(value, path)) checkComment(at, subject, report)
    }
  },
}

const truths: Readonly<Record<string, boolean>> = { true: true, yes: true, on: true, false: false, no: false, off: false }

/** A text is true whatever it says, so that a condition on it always holds. */
function checkSet(set: Json | undefined, path: DocumentPath, { document }: Subject, report: Report): void {
  for (const [name, value] of Object.entries(isObject(set) ? set : {})) {
    if (typeof value !== 'string') continue
    const truth = truths[value.toLowerCase()]
    const span = document.span([...path, name])
    if (truth === undefined || span === null) continue
    const quoted = /^['"]/.test(document.text.slice(span.start, span.end))
    // In quotes `no` and `on` are words that somebody chose.
    if (quoted && !['true', 'false'].includes(value.toLowerCase())) continue
    report.at(
      'boolean_as_text',
      [...path, name],
      `this is the text \`${value}\`, which is true in a condition whatever it says; write ${truth} without quotes`,
    )
  }
}

function checkNumbers(value: Json, path: DocumentPath, subject: Subject, report: Report): void {
  if (typeof value === 'number') {
    const span = subject.document.span(path)
    const written = span === null ? '' : subject.document.text.slice(span.start, span.end)
    if (/^[-+]?0\d/.test(written))
      report.at('number_leading_zero', path, `\`${written}\` is read as the number ${value}; put it in quotes if the zeros count`)
  }
  if (typeof value !== 'object' || value === null) return
  const entries = Array.isArray(value) ? [...(value as readonly Json[]).entries()] : Object.entries(value as Readonly<Record<string, Json>>)
  for (const [key, item] of entries) checkNumbers(item, [...path, key], subject, report)
}

/** `note: Ticket #12 is open` ends at `Ticket`. A comment has a space after its sign. */
function checkComment(path: DocumentPath, { document: { text, span } }: Subject, report: Report): void {
  const place = span(path)
  if (place === null || /^['"|>]/.test(text.slice(place.start, place.end))) return
  const rest = /^[ \t]+#(?=[\w{])[^\n]*/.exec(text.slice(place.end))
  if (rest === null) return
  report.offset(
    'text_cut_by_comment',
    place.end + rest[0].indexOf('#'),
    path,
    `\`${rest[0].trim()}\` is a comment and no part of the text before it; put the text in quotes`,
  )
}
