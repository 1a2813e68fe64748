import type { Json } from '../../../../domain/index.ts'
import type { DocumentPath } from '../../../../yaml/index.ts'
import { renderedIn } from '../../document/index.ts'
import { defineRule, type Report, type Subject } from '../../rule.ts'

export const numberLeadingZero = defineRule({
  codes: {
    number_leading_zero: {
      severity: 'warning',
      title: 'The leading zero of a number is lost',
      why: 'YAML 1.2 reads `0123` as the number 123. Put identifiers made of digits in quotes.',
      wrong: '- id: facts\n  set: { plant: 0123 }',
      right: "- id: facts\n  set: { plant: '0123' }",
    },
  },
  check(subject, report) {
    for (const { path, value } of renderedIn(subject.root)) checkNumbers(value, path, subject, report)
  },
})

function checkNumbers(value: Json, path: DocumentPath, subject: Subject, report: Report<'number_leading_zero'>): void {
  if (typeof value === 'number') {
    const span = subject.document.span(path)
    const written = span === null ? '' : subject.document.text.slice(span.start, span.end)
    if (/^[-+]?0\d/.test(written))
      report.at('number_leading_zero', path, `\`${written}\` is read as the number ${value}; put it in quotes if the zeros matter`)
  }
  if (typeof value !== 'object' || value === null) return
  const entries = Array.isArray(value) ? [...(value as readonly Json[]).entries()] : Object.entries(value as Readonly<Record<string, Json>>)
  for (const [key, item] of entries) checkNumbers(item, [...path, key], subject, report)
}
