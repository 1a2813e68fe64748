import { timeOf } from '../../../../expressions/index.ts'
import * as typing from '../../../../expressions/typing/index.ts'
import { fitsFormat, textFormatNames, textFormats } from '../../../../formats/index.ts'
import { holdsTemplate } from '../../document/index.ts'
import { defineRule } from '../../rule.ts'
import { partOf, time, typedPlaces } from './needed.ts'

/** Checks that the argument of `| default:` fits the place where the template is. Other rules check the whole template. */
export const defaultFits = defineRule({
  codes: {
    default_never_fits: {
      severity: 'error',
      title: 'A default never fits where it is used',
      why: 'If the value is missing, the step fails on its default.',
      wrong:
        'inputs: { count: { type: integer, from: [content.count] } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues\n    with: { max_items: "{{ inputs.count | default: \'all\' }}" }',
      right:
        "inputs: { count: { type: integer, from: [content.count] } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues\n    with: { max_items: '{{ inputs.count | default: 50 }}' }",
    },
  },
  check(subject, report) {
    for (const { path, needed, blank, type, fallbacks } of typedPlaces(subject, ({ value }) => holdsTemplate(value))) {
      if (typing.fitOf(type, needed).fits === 'never') continue
      for (const { type: fallback, at, offset } of fallbacks) {
        // Lint often does not know whether a default is null. Other rules report a missing value.
        const given = typing.without(fallback, 'null')
        if (blank && given.text?.values?.every((text) => text === '') === true) continue
        const wrong = misfitOf(given, at.reduce<typing.Type>(partOf, needed))
        if (wrong !== null) report.inside('default_never_fits', [...path, ...at], offset, `the default ${wrong}`)
      }
    }
  },
})

/** Returns why a default cannot fit, whatever its value is. Null: it may fit. */
function misfitOf(fallback: typing.Type, needed: typing.Type): string | null {
  const found = typing.fitOf(fallback, needed)
  if (found.fits === 'never') return found.misfit.message
  const texts = typing.kindsOf(fallback).every((kind) => kind === 'text') ? (fallback.text?.values ?? []) : []
  if (texts.length === 0) return null
  if (needed === time) return texts.some((text) => timeOf(text) !== undefined) ? null : `is ${typing.show(fallback)}, and must be a time`
  const format = textFormatNames.find((name) => name === needed.text?.format)
  return format === undefined || texts.some((text) => fitsFormat(format, text))
    ? null
    : `is ${typing.show(fallback)}, and must be ${textFormats[format].means}`
}
