import { isTocsinError, messageOf } from '../errors/index.ts'
import { type Answer, Refused } from './client.ts'
import { plain } from './print.ts'

/** Explains a failure for a person at a terminal: what happened, where, and what to do. */
export function explainFailure(error: unknown): string {
  if (error instanceof Refused) return refusal(error)
  if (!isTocsinError(error)) return `tocsin: ${plain(messageOf(error))}`
  const places = error.places.map(({ file, line, column, field, message, code }) => {
    const at = file === undefined ? [] : [`${file}${line === undefined ? '' : `:${line}:${column ?? 1}`}`]
    // A mistake in the YAML itself is in no field.
    const where = [...at, ...(field === '' ? [] : [field])].join(' ')
    return `  ${where === '' ? '' : `${where}: `}${message}${code === undefined ? '' : ` [${code}]`}`
  })
  return plain([`tocsin: ${error.entry.title}: ${error.message} [${error.code}]`, ...places, `  ${error.remedy}`].join('\n'))
}

function refusal({ status, problem }: Refused): string {
  const places = ((problem['errors'] ?? []) as Answer[]).map(refusedPlace)
  const head = `tocsin: ${plain(problem['title'] ?? `status ${status}`)}: ${plain(problem['detail'] ?? '')} [${plain(problem['code'] ?? status)}]`
  return [head, ...places, ...(problem['remedy'] ? [`  ${plain(problem['remedy'])}`] : [])].join('\n')
}

function refusedPlace({ field, message, code, file, line, column }: Answer): string {
  const where = line === undefined ? '' : `${plain(file ?? '')}:${plain(line)}:${plain(column ?? 1)} `
  return `  ${where}${plain(field)}: ${plain(message)}${code === undefined ? '' : ` [${plain(code)}]`}`
}
