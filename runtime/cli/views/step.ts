import type { Answer } from '../client.ts'
import { bold, dim, linesText, listOf, plain, time } from '../print.ts'
import { answerText, askedText, standingText, valueText, whatText } from './step-words.ts'

const label = (text: string, line: string): string => `${dim(text.padEnd(10))}${line}`
const under = (line: string): string => label('', line)

function block(name: string, [first = '', ...rest]: readonly string[]): string[] {
  return [label(name, first), ...rest.map(under)]
}

/** Each part of a condition with its result, and below it the values that it read. */
function conditionLines(why: Answer): string[] {
  const name = why['of'] === 'case' ? `case ${Number(why['index']) + 1}` : plain(why['of']).replace('_', ' ')
  const text = why['text'] === null ? [] : [label(name, plain(why['text']))]
  const parts = listOf(why['parts']).flatMap((part, index) => {
    const { depth, rule, looked, holds, item, items, error } = part as Answer & { readonly item: Answer | null }
    const deep = '  '.repeat(Number(depth))
    const of = item ? dim(` (item ${plain(item['number'])} of ${plain(item['of'])})`) : ''
    const word = looked ? bold(answerText(holds, error)) : dim('not evaluated: an earlier part had already decided')
    const count = items === 1 ? '1 item' : `${plain(items)} items`
    const line = `${deep}${plain(rule)}${of}: ${items === null ? word : count}`
    const read = listOf(part['read']).map(({ path, value }) =>
      under(`${deep}  ${plain(path)} = ${value === null ? bold('missing') : valueText(value, 300)}`),
    )
    return [label(index === 0 ? name : '', line), ...read]
  })
  return [...text, ...parts]
}

/** Formats the input or output of a step as lines. */
type Value = (value: Answer, part: 'input' | 'output') => readonly string[]

/** Returns all details of a step, one per line. */
export function detailLines(step: Answer, valueLines: Value): string[] {
  const { input, output, error } = step as Readonly<Record<string, Answer | null>>
  const ended = step['ended_at'] ? ` to ${time(step['ended_at'])}` : ''
  const when = step['began_at'] ? [label('when', `${time(step['began_at'])}${ended}`)] : []
  const sendings = listOf(step['attempts']).map(({ number, at, effect, code }) => {
    const became = [effect, code].filter((word) => word !== null).map(plain)
    return label(`try ${plain(number)}`, `${time(at)} ${became.join(': ').replaceAll('_', ' ')}`)
  })
  const failure = error
    ? [label('error', `${bold(plain(error['code']))}: ${plain(error['message'])}`), ...(error['remedy'] ? [under(plain(error['remedy']))] : [])]
    : []
  return [
    ...when,
    ...listOf(step['why']).flatMap(conditionLines),
    ...(input ? block('input', valueLines(input, 'input')) : []),
    ...(sendings.length > 1 ? sendings : []),
    ...listOf(step['decisions']).map((one) => label('asked', `${plain(one['title'])}: ${askedText(one)}`)),
    ...(output ? block('output', valueLines(output, 'output')) : []),
    ...failure,
    ...warningLines(step).map((line) => label('warning', line)),
  ]
}

export function warningLines(step: Answer): string[] {
  return ((step['warnings'] ?? []) as readonly unknown[]).map(plain)
}

/** Returns a value on one line. If it is cut, the line says which command shows all of it. */
export function lineOf(run: string, step: Answer): Value {
  return ({ beginning, value }, part) =>
    beginning === undefined
      ? [plain(JSON.stringify(value))]
      : [`${plain(beginning)}… ${dim(`cut; for all of it: ${valueCommand(run, step['address'], part)}`)}`]
}

/** Returns the command that shows the whole value. The address is quoted if the shell needs that. */
function valueCommand(run: string, address: unknown, part: 'input' | 'output'): string {
  const text = plain(address)
  const quoted = /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
  return `tocsin run show ${run} --step ${quoted} --value ${part}`
}

/** One step with all its details, as text for a terminal. */
export function stepText(run: string, step: Answer): string {
  const { address, playbook, line, note } = step
  const cut = lineOf(run, step)
  const pretty: Value = (value, part) =>
    value['beginning'] === undefined ? plain(JSON.stringify(value['value'], null, 2)).split('\n') : cut(value, part)
  const where = [playbook ? `in the sub-playbook ${plain(playbook)}` : '', line ? `line ${plain(line)}` : ''].filter((part) => part !== '')
  return linesText([
    `${bold(plain(address))}  ${whatText(step)}  ${standingText(step)}${where.length > 0 ? dim(`  ${where.join(', ')}`) : ''}`,
    ...(note ? [`${bold('!')} ${plain(note)}`] : []),
    ...detailLines(step, pretty).map((text) => `  ${text}`),
  ])
}
