import { isObject, type Json } from '../../../../domain/index.ts'
import type { DocumentPath } from '../../../../yaml/index.ts'
import { renderedIn, stringsIn, withNested } from '../../document/index.ts'
import { defineRule, type Report } from '../../rule.ts'

export const templateNotRendered = defineRule({
  codes: {
    template_not_rendered: {
      severity: 'error',
      title: 'A template is never rendered here',
      why: 'Templates are rendered in what steps send, write or set, in the title of the case, in the verdict and in the outputs. Elsewhere, and in keys, `{{ … }}` is plain text.',
      wrong: "inputs: { days: { type: string, default: '{{ run.now }}' } }\nsteps:\n  - id: say\n    case: { note: '{{ inputs.days }}' }",
      right: "inputs: { days: { type: string, default: unknown } }\nsteps:\n  - id: say\n    case: { note: '{{ inputs.days }}' }",
    },
  },
  check(subject, report) {
    const rendered = new Set(renderedIn(subject.root).map(({ path }) => path.join('\u0000')))
    const conditions = new Set(
      subject.flow.places.filter(({ expression }) => expression.form === 'condition').map(({ expression }) => expression.path.join('\u0000')),
    )
    // Nobody knows what a step without a kind was meant to do.
    for (const { kind, path } of withNested(subject.flow.steps)) if (kind === 'unknown') rendered.add(path.join('\u0000'))
    for (const { text, path } of stringsIn(subject.root, [])) {
      const at = text.indexOf('{{')
      if (at === -1 || isWithin(path, rendered) || isWithin(path, conditions) || isElsewhere(path)) continue
      report.inside('template_not_rendered', path, at, `templates are not rendered here: \`${path.at(-1)}\` keeps the text as written`)
    }
    for (const { path, value } of renderedIn(subject.root)) checkKeys(value, path, report)
  },
})

/** Programs and patterns have braces of their own. The compiler reports templates in conditions. */
function isElsewhere(path: DocumentPath): boolean {
  return path.some((part) => part === 'script' || part === 'pattern' || part === 'until')
}

function isWithin(path: DocumentPath, roots: ReadonlySet<string>): boolean {
  return path.some((_, index) => roots.has(path.slice(0, index + 1).join('\u0000')))
}

function checkKeys(value: Json, path: DocumentPath, report: Report<'template_not_rendered'>): void {
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) checkKeys(item, [...path, index], report)
    return
  }
  if (!isObject(value)) return
  for (const [key, item] of Object.entries(value)) {
    if (key.includes('{{')) report.at('template_not_rendered', [...path, key], 'templates are rendered only in values, not in keys', { part: 'key' })
    checkKeys(item, [...path, key], report)
  }
}
