import type { Type } from '../../typing/model/index.ts'

/** The letters that liquidjs knows after `%`. It writes any other as it is. */
const known = new Set('aAbBcCdeHIjklLmMNpPqsSuUwWxXyYzZhtn%')
/** The same as some letters that `strftime` has elsewhere. */
const instead: Readonly<Record<string, string>> = { D: '%m/%d/%y', F: '%Y-%m-%d', R: '%H:%M', T: '%H:%M:%S' }

/** Reports a constant format of `date` that has something else than times after a `%`. */
export function unknownDirective([format]: readonly Type[]): string | null {
  for (const text of format?.text?.values ?? [])
    for (const [whole, kind = ''] of text.matchAll(/%[-_0^#:]*\d*[EO]?(.)/gs))
      if (!known.has(kind))
        return `\`date\` does not know \`${whole}\`; write \`${instead[kind] ?? '%%'}\`${instead[kind] ? '' : ' for a percent sign'}`
  return null
}
