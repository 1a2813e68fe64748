import { compileRule } from '../condition/index.ts'
import { filterContext, filterGroups } from '../filters/index.ts'
import { operatorContext, operatorGroups } from '../operators/index.ts'
import { compileValue } from '../template/index.ts'
import { Meter } from '../work.ts'

/** docs/reference/expressions.md. What an example gives is computed by the code that playbooks run. */
export function renderExpressionReference(): string {
  return `${[
    '# Operators and filters',
    '',
    'Every operator of conditions and every filter of templates, each with an example and what it gives. What conditions and templates are, and how they treat types and',
    'missing values, is in [the language](language.md#values).',
    '',
    '## Operators of conditions',
    '',
    `The examples read \`${JSON.stringify(operatorContext)}\`. Operators with a star are Tocsin's own; the others are json-logic's, without its coercion.`,
    ...Object.entries(operatorGroups).flatMap(([group, operators]) => [
      '',
      `### ${group}`,
      '',
      '| operator | what it gives | example | gives |',
      '|---|---|---|---|',
      ...operators.map(({ name, text, example, from }) =>
        row(
          `${code(name)}${from === 'tocsin' ? ' *' : ''}`,
          text,
          code(JSON.stringify(example)),
          code(JSON.stringify(compileRule(example)(operatorContext, new Meter()))),
        ),
      ),
    ]),
    '',
    '## Filters of templates',
    '',
    `The examples read \`${JSON.stringify(filterContext)}\`. The quoting filters of the plugins come on top, for example`,
    '`mailsec_quote`: a text as the query language of that system quotes it.',
    ...Object.entries(filterGroups).flatMap(([group, filters]) => [
      '',
      `### ${group === 'Numbers' || group === 'Lists' || group === 'Text' ? `${group}, as filters` : group}`,
      '',
      '| filter | what it gives | example | gives |',
      '|---|---|---|---|',
      ...filters.map(({ name, text, example }) =>
        row(code(name), text, code(example), code(JSON.stringify(compileValue(example).render(filterContext)))),
      ),
    ]),
    '',
    'This page is generated from `runtime/expressions/operators/` and `runtime/expressions/filters/`.',
  ].join('\n')}\n`
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** Escapes bars. In a Markdown table a bar ends the cell, even inside code. */
function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`'
  return `${fence}${text.replaceAll('|', '\\|')}${fence}`
}
