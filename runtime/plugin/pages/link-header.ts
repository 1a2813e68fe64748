import { TocsinError } from '../../errors/index.ts'

const target = /[\s,]*<([^<>]*)>/y
const parameter = /\s*;\s*(?:([^\s=;,"<>]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"<>]*)))?)?/y
const end = /\s*(?:,|$)/y

/**
 * Returns the target of the first link of a `Link` header with the relation `next`, as it stands
 * there. Null if there is none. A link with an `anchor` is about something else than the answer.
 * @throws TocsinError `answer_not_understood` if the header is malformed: a page may be missing
 */
export function nextLink(header: string): string | null {
  let at = 0
  const take = (form: RegExp): RegExpExecArray | null => {
    form.lastIndex = at
    const found = form.exec(header)
    if (found) at = form.lastIndex
    return found
  }
  while (!/^[\s,]*$/.test(header.slice(at))) {
    const url = take(target)?.[1]
    if (url === undefined) throw malformed()
    const parameters = new Map<string, string>()
    for (let found = take(parameter); found; found = take(parameter)) {
      const [, name = '', quoted, plain = ''] = found
      const key = name.toLowerCase()
      if (!parameters.has(key)) parameters.set(key, quoted?.replace(/\\(.)/g, '$1') ?? plain)
    }
    if (!take(end)) throw malformed()
    const relations = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/)
    if (relations.includes('next') && !parameters.has('anchor')) return url
  }
  return null
}

function malformed(): TocsinError {
  return new TocsinError('answer_not_understood', 'The Link header of the answer is malformed, so it does not say whether another page follows.')
}
