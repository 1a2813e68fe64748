import { isObject, type Json } from '../../../../domain/index.ts'
import { operatorNames } from '../../../../expressions/index.ts'
import type { DocumentPath } from '../../../../yaml/index.ts'
import { keysOf } from '../../../compile/index.ts'
import { renderedIn, replaceIn, replaceValue, type StepNode, stringsIn, withFix, withNested } from '../../document/index.ts'
import { operationOf, varOf } from '../../flow/index.ts'
import { defineRule, type Report, type Subject } from '../../rule.ts'

const roots = 'inputs|steps|vars|alert|case|organization|connections|run'
const rootPath = String.raw`(?:${roots})(?:\.\w+)+`

/** Patterns for paths that were meant to be read as a value. */
interface Written {
  /** Match `${ … }`, `{ … }`, `%{ … }` or `<< … >>` around a path, with or without filters, and `$inputs.user` or `@inputs.user`. */
  readonly within: readonly RegExp[]
  /** Matches a text that is only a path. */
  readonly bare: RegExp
  readonly whole: RegExp
}

const known = new Map<string, Written>()

function writtenOf(items: readonly string[]): Written {
  const key = items.join(' ')
  const standing = known.get(key)
  if (standing !== undefined) return standing
  const path = items.length === 0 ? rootPath : String.raw`(?:${rootPath}|(?:${items.join('|')})(?:\.\w+)*)`
  const item = items.length === 0 ? '' : String.raw`|(?:${items.join('|')})(?:\.\w+)+`
  const written: Written = {
    within: [
      new RegExp(String.raw`(?<![{%])(?:[$#%]\{\{?|\{|<<|\$\(|\[\[)\s*(${path}(?:\s*\|[^{}<>]*)?)\s*(?:\}\}?|>>|\)|\]\])`, 'g'),
      new RegExp(String.raw`(?<![\w.$])[$@](${rootPath})\b`, 'g'),
    ],
    bare: new RegExp(String.raw`^\s*(?:(?:inputs|steps|vars)(?:\.\w+)+|alert\.content(?:\.\w+)+${item})\s*$`),
    whole: new RegExp(`^${path}$`),
  }
  known.set(key, written)
  return written
}

/** Finds text that was meant to be a template, and rules that are used as values. */
export const lookalikes = defineRule({
  codes: {
    template_lookalike: {
      severity: 'error',
      title: 'Text looks like a template, but is not one',
      why: "A template has two braces on each side and quotes around it: `'{{ inputs.user }}'`. Anything else stays in the text as written. Without quotes, a pair of braces is a YAML mapping.",
      wrong: "- id: say\n  case: { note: 'The user is { inputs.user }' }",
      right: "- id: say\n  case: { note: 'The user is {{ inputs.user }}' }",
    },
    path_as_text: {
      severity: 'error',
      title: 'A path is used as text',
      why: 'Outside templates and conditions, a path is plain text. The skill would be called with the text `inputs.user`.',
      wrong: '- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: inputs.user }',
      right: "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: '{{ inputs.user }}' }",
    },
    condition_in_value: {
      severity: 'error',
      title: 'A condition is used as a value',
      why: 'JSON Logic is evaluated in conditions only. In a value it is plain data, and would be passed on unchanged.',
      wrong: '- id: facts\n  set: { who: { var: inputs.user } }',
      right: "- id: facts\n  set: { who: '{{ inputs.user }}' }",
    },
  },
  check(subject, report) {
    const loops = [...withNested(subject.flow.steps)].filter(({ kind }) => kind === 'foreach')
    const itemsAt = (at: DocumentPath): Written =>
      writtenOf(loops.flatMap((loop) => (isInside(at, loop) ? [typeof loop.value['as'] === 'string' ? loop.value['as'] : 'item'] : [])))
    for (const { path: at, value } of renderedIn(subject.root)) {
      const written = itemsAt(at)
      for (const { text, path: where } of stringsIn(value, at)) checkText(text, where, written, subject, report)
      checkValue(value, at, written, subject, report)
    }
    for (const { expression } of subject.flow.places) {
      if (expression.form === 'condition') checkRule(expression.value, expression.path, itemsAt(expression.path), subject, report)
    }
  },
})

type Code = 'template_lookalike' | 'path_as_text' | 'condition_in_value'

/** Returns whether a path is inside the steps of a loop. */
function isInside(at: DocumentPath, { path }: StepNode): boolean {
  return at.length > path.length + 1 && at[path.length] === 'steps' && path.every((part, index) => part === at[index])
}

/** Checks a condition. In it, a path is only text unless `var` reads it. */
function checkRule(rule: Json, at: DocumentPath, written: Written, subject: Subject, report: Report<Code>): void {
  if (typeof rule === 'string') {
    const name = rule.trim()
    if (!written.bare.test(rule) || !isDeclared(name, subject.root)) return
    const fix = replaceValue(subject.document, at, `{ var: ${name} }`, `write \`{ var: ${name} }\``)
    report.at('path_as_text', at, `this is the text \`${name}\`, not the value; write { var: ${name} }`, withFix(fix))
    return
  }
  if (typeof rule !== 'object' || rule === null) return
  const entries = Array.isArray(rule) ? [...(rule as readonly Json[]).entries()] : Object.entries(rule as Readonly<Record<string, Json>>)
  for (const [key, part] of entries) {
    if (key !== 'var' && key !== 'missing' && key !== 'missing_some') checkRule(part, [...at, key], written, subject, report)
  }
}

function checkText(text: string, at: DocumentPath, written: Written, { document, root }: Subject, report: Report<Code>): void {
  for (const pattern of written.within) {
    for (const match of text.matchAll(pattern)) {
      const [found, inside = ''] = match
      // Inside a template, braces and brackets mean something else.
      if (isInTemplate(text, match.index)) continue
      const meant = `{{ ${inside.trim()} }}`
      const fix = text.includes('{{') ? undefined : replaceIn(document, at, found, meant, `write \`${meant}\``)
      const quoted = fix !== undefined && isPlain(document.text, document.span(at)?.start) ? undefined : fix
      report.inside('template_lookalike', at, match.index, `\`${found}\` is not a template and would stay as it is; write \`${meant}\``, quoted)
    }
  }
  if (!written.bare.test(text) || at.some((part) => part === 'var' || part === 'missing')) return
  const name = text.trim()
  if (!isDeclared(name, root)) return
  const fix = replaceValue(document, at, `'{{ ${name} }}'`, `write \`{{ ${name} }}\``)
  report.at('path_as_text', at, `this is the text \`${name}\`, not the value; write '{{ ${name} }}'`, withFix(fix))
}

function isInTemplate(text: string, offset: number): boolean {
  const opened = text.lastIndexOf('{{', offset)
  const tag = text.lastIndexOf('{%', offset)
  return (opened !== -1 && opened < offset && text.indexOf('}}', opened) > offset) || (tag !== -1 && text.indexOf('%}', tag) > offset)
}

/** Returns whether the value is text without quotes. There a brace starts a YAML mapping, so a template cannot simply be inserted. */
function isPlain(text: string, start: number | undefined): boolean {
  return start !== undefined && text[start] !== "'" && text[start] !== '"' && text[start] !== '|' && text[start] !== '>'
}

/** Returns whether the path may exist. Text that only looks like a path is left alone. */
function isDeclared(name: string, root: Subject['root']): boolean {
  const [first, second = ''] = name.split('.')
  if (first === 'alert' || first === 'steps') return true
  return first === 'inputs' ? keysOf(root['inputs']).includes(second) : true
}

/** Finds mappings that were meant as a template (`{ inputs.user }` without quotes) or as a rule. */
function checkValue(value: Json, at: DocumentPath, written: Written, subject: Subject, report: Report<Code>): void {
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) checkValue(item, [...at, index], written, subject, report)
    return
  }
  if (!isObject(value)) return
  const [key, ...more] = Object.keys(value)
  if (key !== undefined && more.length === 0 && value[key] === null && written.whole.test(key)) {
    const fix = replaceValue(subject.document, at, `'{{ ${key} }}'`, `write \`{{ ${key} }}\``)
    report.at(
      'template_lookalike',
      at,
      `this is a mapping with the key \`${key}\`; a template has two braces and quotes around it: '{{ ${key} }}'`,
      withFix(fix),
    )
    return
  }
  if (isRule(value)) {
    const read = varOf(value)
    const fix =
      read === null || read.fallback !== undefined
        ? undefined
        : replaceValue(subject.document, at, `'{{ ${read.path.join('.')} }}'`, `write \`{{ ${read.path.join('.')} }}\``)
    const instead = read === null ? 'move it to the `if` of a step that sets a variable' : `write '{{ ${read.path.join('.')} }}'`
    report.at('condition_in_value', at, `conditions are not evaluated in values, so this would be passed on unchanged; ${instead}`, withFix(fix))
    return
  }
  for (const [name, item] of Object.entries(value)) checkValue(item, [...at, name], written, subject, report)
}

/** Returns whether the value is a `var` with a known root, or an operator over one. */
function isRule(value: Json, depth = 0): boolean {
  const read = varOf(value)
  if (read !== null) return new RegExp(`^(?:${roots})$`).test(read.path[0] ?? '')
  const operation = operationOf(value)
  return operation !== null && operatorNames.includes(operation.name) && depth < 5 && operation.given.some((part) => isRule(part, depth + 1))
}
