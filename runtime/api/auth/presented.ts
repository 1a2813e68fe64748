import type { IncomingHttpHeaders } from 'node:http'

/** The cookie that an API key may come in (specification 5). */
export const sessionCookieName = 'Session'
const cookieStart = `${sessionCookieName}=`

/**
 * The API key that a request presents: `Authorization: Bearer <key>`, else the cookie `Session` (specification 5), alone or among
 * other cookies, in double quotes or without. Null when there is neither. Where both are sent the explicit header counts.
 * A browser adds cookies to what any page makes it send: a cookie on a request that a page of another origin made is no key.
 */
export function presentedKey(headers: IncomingHttpHeaders): string | null {
  const authorization = headers.authorization
  if (authorization !== undefined && authorization.length > 7 && authorization.slice(0, 7).toLowerCase() === 'bearer ') {
    const key = authorization.slice(7).trim()
    if (key !== '') return key
  }
  const cookie = headers.cookie
  return cookie === undefined || ofAnotherPage(headers['sec-fetch-site']) ? null : sessionCookie(cookie)
}

/** What browsers say of who made a request; other clients say nothing. `none`: a person, in the address bar. */
function ofAnotherPage(site: string | readonly string[] | undefined): boolean {
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

function sessionCookie(cookie: string): string | null {
  if (cookie.startsWith(cookieStart) && !cookie.includes(';')) return unquoted(cookie.slice(cookieStart.length))
  for (const part of cookie.split(';')) {
    const pair = part.trim()
    if (pair.startsWith(cookieStart)) return unquoted(pair.slice(cookieStart.length))
  }
  return null
}

function unquoted(text: string): string | null {
  const value = text.trim()
  const bare = value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
  return bare === '' ? null : bare
}
