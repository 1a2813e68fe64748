import { settings } from '../config/index.ts'
import { TocsinError } from '../errors/index.ts'

/**
 * Checks a key before it is sent. A request cannot have a header with other characters, and the error of `fetch` would repeat the key.
 * @returns the key without white space around it
 * @throws TocsinError `config_invalid`, which does not repeat the key
 */
export function checkedKey(given: string): string {
  const key = given.trim()
  // An option that a script left empty must not become the admin key.
  if (key === '') throw new TocsinError('config_invalid', 'The API key in --key is empty.', [], { remedy: 'Give the key, or leave out --key.' })
  const [odd] = /[^\x21-\x7e]/u.exec(key) ?? []
  if (odd === undefined) return key
  const name = odd === ' ' ? 'a space' : odd === '\n' || odd === '\r' ? 'a line break' : `the character ${pointOf(odd)}`
  throw new TocsinError('config_invalid', `The API key has ${name} in it, so it was not sent.`, [], {
    remedy: 'Copy the key again, without anything before or after it. Give it as --key or set TOCSIN_API_KEY.',
  })
}

function pointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/**
 * Checks the address of a server.
 * @returns it without a slash at the end
 * @throws TocsinError `config_invalid`, which does not repeat a password
 */
export function checkedAddress(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null
  const refuse = (message: string, remedy: string): never => {
    throw new TocsinError('config_invalid', message, [], { remedy })
  }
  if (url !== null && url.username + url.password !== '')
    return refuse('The address of Tocsin has a user name or a password.', 'Leave it out. The API key comes in --key or TOCSIN_API_KEY.')
  if ((url?.protocol !== 'http:' && url?.protocol !== 'https:') || url.search + url.hash !== '')
    return refuse(`"${given}" is no address of Tocsin.`, 'Give --url or TOCSIN_URL such as http://127.0.0.1:8080.')
  return given.trim().replace(/\/+$/, '')
}

/**
 * Returns the port that TOCSIN_PORT names. Null: 0, so the server took a free one.
 * @throws TocsinError `config_invalid`
 */
export function portOf(text: string): number | null {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port === 0 ? null : port
  throw new TocsinError('config_invalid', `${settings.port.variable} must be a port number, 0 to 65535.`)
}
