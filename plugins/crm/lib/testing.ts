import type { HandlerCall } from '@tocsin/plugin'

/**
 * Returns prepared answers in order instead of the platform's, and records the statements. For the
 * unit tests of this folder.
 */
export function answering(
  ...bodies: readonly unknown[]
): { readonly asked: string[]; readonly lines: string[] } & Pick<HandlerCall<unknown>, 'http' | 'log'> {
  const asked: string[] = []
  const lines: string[] = []
  const get = async (path: string, options: { readonly query?: Readonly<Record<string, unknown>>; readonly base?: string } = {}) => {
    asked.push([options.base, path, options.query?.['q']].filter((part) => part !== undefined).join(' '))
    if (asked.length > bodies.length) throw new Error('one request too many')
    return { status: 200, headers: {}, body: bodies[asked.length - 1] }
  }
  const line = (message: string, fields: object = {}): void => void lines.push(`${message} ${JSON.stringify(fields)}`)
  const http = { get } as unknown as HandlerCall<unknown>['http']
  return { asked, lines, http, log: { debug: line, info: line, warn: line } }
}
