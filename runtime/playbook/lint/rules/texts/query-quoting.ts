import { partsOf, type TemplateOutput } from '../../../../expressions/index.ts'
import type { DocumentPath } from '../../../../yaml/index.ts'
import { type CalledSkill, type FoundString, replaceIn } from '../../document/index.ts'
import { defineRule, type Report, type Subject } from '../../rule.ts'
import { type Taint, taintOf } from '../../taint.ts'
import { givenTexts, whose } from './given.ts'

/** Text from an alert or an answer must be quoted in a query. Otherwise it could change what the query asks. */
export const queryQuoting = defineRule({
  codes: {
    query_unquoted: {
      severity: 'error',
      title: 'Untrusted text goes into a query without quoting',
      why: 'Whoever sends the alert, or the mail it is about, could end the value and add a query of their own. The quoting filter of the integration keeps the text one value.',
      wrong: "- id: search\n  skill: mailsec.search_mailsec_messages\n  with: { query: 'recipient:{{ inputs.user }}' }",
      right: "- id: search\n  skill: mailsec.search_mailsec_messages\n  with: { query: 'recipient:{{ inputs.user | mailsec_quote }}' }",
    },
    query_quoting_wrong: {
      severity: 'error',
      title: 'Text is quoted for another query language',
      why: 'Query languages quote differently. Text that is harmless in one can end the value in another. URL encoding does not quote for a query either.',
      wrong: "- id: search\n  skill: mailsec.search_mailsec_messages\n  with: { query: 'recipient:{{ inputs.user | soql_quote }}' }",
      right: "- id: search\n  skill: mailsec.search_mailsec_messages\n  with: { query: 'recipient:{{ inputs.user | mailsec_quote }}' }",
    },
    query_quoting_undone: {
      severity: 'error',
      title: 'A filter after the quoting filter may remove the quotes',
      why: 'The quoting filter must come last. A filter after it that cuts or replaces text can break the quoting.',
      wrong:
        "- id: search\n  skill: mailsec.search_mailsec_messages\n  with: { query: 'recipient:{{ inputs.user | mailsec_quote | slice: 0, 50 }}' }",
      right:
        "- id: search\n  skill: mailsec.search_mailsec_messages\n  with: { query: 'recipient:{{ inputs.user | slice: 0, 50 | mailsec_quote }}' }",
    },
    query_quoted_twice: {
      severity: 'error',
      title: 'Quoted text has another pair of quotes around it',
      why: 'The quoting filter adds the quotes itself. With a second pair the value is empty, and the text becomes part of the query.',
      wrong: '- id: search\n  skill: mailsec.search_mailsec_messages\n  with: { query: \'recipient:"{{ inputs.user | mailsec_quote }}"\' }',
      right: "- id: search\n  skill: mailsec.search_mailsec_messages\n  with: { query: 'recipient:{{ inputs.user | mailsec_quote }}' }",
    },
  },
  check(subject, report) {
    const taint = taintOf(subject)
    for (const given of givenTexts(subject)) {
      if (given.isQuery && given.skill !== null) checkQuery(given, given.skill, taint, subject, report)
    }
  },
})

type Code = 'query_unquoted' | 'query_quoting_wrong' | 'query_quoting_undone' | 'query_quoted_twice'

function checkQuery(
  { text, path }: FoundString,
  { integration }: CalledSkill,
  taint: Taint,
  { world, document }: Subject,
  report: Report<Code>,
): void {
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
          `\`${undone}\` comes after \`${right}\` and may remove what it added; put it first: \`| ${undone} … | ${right}\``,
        )
      } else if (isInQuotes(text, output)) {
        report.inside(
          'query_quoted_twice',
          path,
          output.start,
          `\`${right}\` adds the quotes itself; remove those around it, or the text ends at the first one`,
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
      own.length === 0 ? `${integration} has no quoting filter, so such text cannot go into its queries` : `quote it: \`| ${own.join('` or `')}\``
    report.inside(
      'query_unquoted',
      path,
      output.start,
      `${whose[origin]} goes into a query without quoting and could change the query; ${remedy}`,
      quoted(text, path, output, own, document),
    )
  }
}

/** Filters that remove, cut or decode parts of a text. */
const undoing: ReadonlySet<string> = new Set([
  ...['remove', 'remove_first', 'remove_last', 'replace', 'replace_first', 'replace_last', 'strip_html', 'split', 'first', 'last', 'reverse'],
  ...['slice', 'truncate', 'truncatewords', 'lstrip', 'rstrip', 'url_decode', 'base64_decode', 'normalize_whitespace'],
])

/** Returns the URL or HTML encoder in the filters, if the text needs quoting. */
function otherEncoder(output: TemplateOutput, taint: Taint): string | undefined {
  const encoder = output.filters.find((name) => ['url_encode', 'cgi_escape', 'uri_escape'].includes(name))
  return encoder !== undefined && taint.ofOutput({ ...output, filters: [] }) !== null ? encoder : undefined
}

/** Returns a fix if there is only one quoting filter, and the value stands alone between spaces, colons or parentheses. */
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
