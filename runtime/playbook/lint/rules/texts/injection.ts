import { isObject, type Json } from '../../../../domain/index.ts'
import { partsOf, type TemplateOutput } from '../../../../expressions/index.ts'
import type { DocumentPath } from '../../../../yaml/index.ts'
import { type CalledSkill, calledBy, type FoundString, inputSchema, replaceIn, type StepNode, stringsIn, withNested } from '../../document/index.ts'
import type { Report, Rule, Subject } from '../../rule.ts'
import { type Origin, Taint } from '../../taint.ts'

/** Text that somebody else wrote and that would be read as part of a query or a URL. */
export const injection: Rule = {
  codes: ['query_unquoted', 'query_quoting_wrong', 'query_quoting_undone', 'query_quoted_twice', 'url_unescaped'],
  check(subject, report) {
    const taint = new Taint(subject)
    for (const step of withNested(subject.flow.steps)) {
      const skill = calledBy(step, subject.world)
      const [given, path] = givenOf(step)
      for (const [input, value] of Object.entries(isObject(given) ? given : {})) {
        const isQuery = skill !== null && inputSchema(skill, input)['x-semantic'] === 'query'
        for (const text of stringsIn(value, [...path, input])) {
          if (isQuery) checkQuery(text, skill, taint, subject, report)
          else checkUrl(text, skill !== null && isUrl(inputSchema(skill, input)), taint, subject, report)
        }
      }
    }
  },
}

/** What a step hands on, and where it stands. */
function givenOf({ kind, value, path }: StepNode): readonly [Json | undefined, DocumentPath] {
  // Whoever reads the case follows its links.
  if (kind === 'case') return [value['case'], [...path, 'case']]
  if (kind === 'set') return [value['set'], [...path, 'set']]
  if (kind !== 'wait') return [value['with'], [...path, 'with']]
  const wait = isObject(value['wait']) ? value['wait'] : {}
  return [isObject(wait['poll']) ? wait['poll']['with'] : undefined, [...path, 'wait', 'poll', 'with']]
}

function isUrl(schema: Readonly<Record<string, Json>>): boolean {
  return schema['format'] === 'uri' || schema['x-semantic'] === 'url'
}

const whose: Readonly<Record<Origin, string>> = {
  alert: "the alert's text",
  answer: "text of a system's answer, which anybody may have written,",
}

function checkQuery({ text, path }: FoundString, { integration }: CalledSkill, taint: Taint, { world, document }: Subject, report: Report): void {
  const own = world.quoting(integration)
  const all = Object.keys(world.filters())
  for (const output of partsOf(text, world.filters())?.outputs ?? []) {
    const quoting = output.filters.filter((name) => all.includes(name))
    const right = quoting.find((name) => own.includes(name))
    const wrong = quoting.find((name) => !own.includes(name)) ?? otherEncoder(output, taint)
    if (right !== undefined) {
      const undone = output.filters.slice(output.filters.lastIndexOf(right) + 1).find((name) => undoing.has(name))
      if (undone !== undefined) {
        report.inside(
          'query_quoting_undone',
          path,
          output.start,
          `\`${undone}\` comes after \`${right}\` and may take away what it added; put it before: \`| ${undone} … | ${right}\``,
        )
      } else if (isInQuotes(text, output)) {
        report.inside(
          'query_quoted_twice',
          path,
          output.start,
          `\`${right}\` puts the quotes itself; leave out those around it, or the text ends at the first of them`,
        )
      }
      continue
    }
    if (wrong !== undefined) {
      const use = own.length === 0 ? `${integration} has no quoting filter` : `use \`${own.join('` or `')}\``
      const fix = own.length === 1 ? replaceIn(document, path, wrong, own[0] ?? '', `quote with \`${own[0]}\``) : undefined
      report.inside('query_quoting_wrong', path, output.start, `\`${wrong}\` does not quote for the query language of ${integration}; ${use}`, fix)
      continue
    }
    const origin = taint.ofOutput(output)
    if (origin === null) continue
    const remedy =
      own.length === 0
        ? `${integration} declares no quoting filter, so such text cannot go into its queries`
        : `quote it: \`| ${own.join('` or `')}\``
    report.inside(
      'query_unquoted',
      path,
      output.start,
      `${whose[origin]} goes into a query unquoted and could change what it asks; ${remedy}`,
      quoted(text, path, output, own, document),
    )
  }
}

/** Filters that take away, cut or decode what stands in a text. */
const undoing: ReadonlySet<string> = new Set([
  ...['remove', 'remove_first', 'remove_last', 'replace', 'replace_first', 'replace_last', 'strip_html', 'split', 'first', 'last', 'reverse'],
  ...['slice', 'truncate', 'truncatewords', 'lstrip', 'rstrip', 'url_decode', 'base64_decode', 'normalize_whitespace'],
])

/** An encoding of other languages, where the text needs one. */
function otherEncoder(output: TemplateOutput, taint: Taint): string | undefined {
  const encoder = output.filters.find((name) => ['url_encode', 'cgi_escape', 'uri_escape'].includes(name))
  return encoder !== undefined && taint.ofOutput({ ...output, filters: [] }) !== null ? encoder : undefined
}

/** Certain where one filter is offered and the value stands alone between spaces, colons or parentheses of the query. */
function quoted(text: string, path: DocumentPath, output: TemplateOutput, own: readonly string[], document: Subject['document']) {
  const written = text.slice(output.start, output.end)
  const whole = text.trim() === written
  if (own.length !== 1 || whole || isInQuotes(text, output) || /["'\w]$/.test(text.slice(0, output.start)) || /^["'\w]/.test(text.slice(output.end)))
    return undefined
  return replaceIn(document, path, written, written.replace(/\s*(-?\}\})$/, ` | ${own[0]} $1`), `quote with \`${own[0]}\``)
}

function isInQuotes(text: string, { start, end }: TemplateOutput): boolean {
  const before = text[start - 1]
  return (before === '"' || before === "'") && text[end] === before
}

/** A value put into a URL behind its beginning; a whole URL from an alert stays as it is. */
function checkUrl({ text, path }: FoundString, isUrlInput: boolean, taint: Taint, { world }: Subject, report: Report): void {
  if (!text.includes('{{')) return
  for (const output of partsOf(text, world.filters())?.outputs ?? []) {
    const before = text.slice(0, output.start)
    const inUrl = /\bhttps?:\/\/[^\s"'<>]*$/i.test(before.replace(/\{\{.*?\}\}/gs, 'x'))
    if (!inUrl && !(isUrlInput && before.trim() !== '')) continue
    const origin = taint.ofOutput(output)
    if (origin === null) continue
    report.inside(
      'url_unescaped',
      path,
      output.start,
      `${whose[origin]} goes into a URL as it is and could lead elsewhere; encode it: \`| url_encode\``,
    )
  }
}
