import type { IncomingHttpHeaders } from 'node:http'
import { keyPrefix } from './key.ts'

/** The cookie that an API key may come in (specification 5). */
export const sessionCookieName = 'Session'
const cookieStart = `${sessionCookieName}=`

/**
 * Returns the API key of a request: `Authorization: Bearer <key>`, or `Basic` with the key as password, else the cookie `Session`
 * (specification 5), alone or among other cookies, with or without double quotes. Null if there is none. If both are sent, the header is used.
 * Ignores the cookie if a page of another origin made the request: a browser adds cookies to every request that a page makes.
 */
export function presentedKey(headers: IncomingHttpHeaders): string | null {
  const authorization = headers.authorization
  if (authorization !== undefined && authorization.length > 7 && authorization.slice(0, 7).toLowerCase() === 'bearer ') {
    const key = authorization.slice(7).trim()
    if (key !== '') return key
  }
  const password = passwordOf(authorization)
  if (password !== null) return password
  const cookie = headers.cookie
  return cookie === undefined || ofAnotherPage(headers['sec-fetch-site']) ? null : sessionCookie(cookie)
}

/**
 * Returns the password of `Authorization: Basic`, which most programs send for an address such as `https://source:<key>@tocsin.example.com`.
 * Null if it is not an API key: it may be meant for a proxy.
 */
function passwordOf(authorization: string | undefined): string | null {
  const encoded = /^basic +([\w+/=-]+)$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return null
  const pair = Buffer.from(encoded, 'base64').toString()
  const password = pair.slice(pair.indexOf(':') + 1)
  return password.startsWith(keyPrefix) ? password : null
}

/** Returns whether a page of another origin made the request (`Sec-Fetch-Site`). `none`: a person used the address bar. Only browsers send it. */
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
