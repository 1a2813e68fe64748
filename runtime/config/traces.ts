import { invalid } from './problems.ts'

/**
 * Returns where the traces go: `/v1/traces` below the endpoint.
 * @throws TocsinError `config_invalid`
 * @see https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 */
export function tracesUrl(endpoint: string): string {
  const url = URL.parse(endpoint)
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.search === '' && url.hash === '') {
    url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`
    return url.href
  }
  throw invalid(
    'tracesEndpoint',
    'must be http:// or https:// with a host, and perhaps a port and a path. It must not have a password.',
    'Give one such as http://127.0.0.1:4318, and put credentials into OTEL_EXPORTER_OTLP_HEADERS.',
  )
}

/** A header that HTTP allows: a token, and a value of visible characters, spaces and tabs. */
const name = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const value = /^[\t\x20-\x7e]*$/

/**
 * Reads `name=value` pairs with commas between them. Values are percent-encoded. No message repeats a value, because it may be a secret.
 * @throws TocsinError `config_invalid`
 */
export function tracesHeaders(text: string): Readonly<Record<string, string>> {
  const headers = new Map<string, string>()
  for (const [index, pair] of text.split(',').entries()) {
    if (pair.trim() === '') continue
    const [key, ...rest] = pair.split('=')
    const given = decoded(rest.join('=').trim())
    if (key === undefined || !name.test(key.trim()) || rest.length === 0 || given === null || !value.test(given))
      throw invalid(
        'tracesHeaders',
        `must be name=value pairs; number ${index + 1} is not one.`,
        'Write a space as %20, a comma as %2C and % as %25.',
      )
    headers.set(key.trim().toLowerCase(), given)
  }
  return Object.fromEntries(headers)
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
