/** The secret that tests plant and search for. */
export const canary = 'kanarienvogel'

/** Returns the forms in which an external system may repeat the secret. */
export function echoesOf(given: string): Readonly<Record<string, string>> {
  const bytes = Buffer.from(given)
  return {
    plain: `the token ${given} is wrong`,
    json: JSON.stringify({ token: given }),
    json_twice: JSON.stringify(JSON.stringify({ token: given })),
    url: `/issues?token=${encodeURIComponent(given)}`,
    form: new URLSearchParams({ token: given }).toString(),
    url_lower: encodeURIComponent(given).replaceAll(/%../g, (code) => code.toLowerCase()),
    base64: bytes.toString('base64'),
    base64url: bytes.toString('base64url'),
    basic: `Basic ${Buffer.from(`user:${given}`).toString('base64')}`,
    basic_longer: `Basic ${Buffer.from(`users:${given}:more`).toString('base64')}`,
    inside: Buffer.from(JSON.stringify({ headers: { token: given } })).toString('base64url'),
    hex: bytes.toString('hex'),
    html: given.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    html_numbers: given.replaceAll(/[^a-z]/g, (char) => `&#${char.charCodeAt(0)};`),
    url_twice: `/login?return=${encodeURIComponent(`/issues?token=${encodeURIComponent(given)}`)}`,
    json_of_dot_net: given.replaceAll(/[^a-z]/g, (char) => `\\u00${char.charCodeAt(0).toString(16).toUpperCase()}`),
  }
}

/** Returns JSON text in which every character of the canary is escaped. */
export function escaped(text: string): string {
  return text.replaceAll(canary, [...canary].map((char) => `\\u00${char.charCodeAt(0).toString(16)}`).join(''))
}

/**
 * Tells whether a text contains the canary, plain or encoded. Decodes everything that could be an
 * encoding, at every offset.
 */
export function sings(text: string): boolean {
  const unescaped = text.replaceAll(/\\u([0-9a-f]{4})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const unquoted = text.replaceAll(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  if ([text, unescaped, unquoted].some((one) => one.toLowerCase().includes(canary))) return true
  const runs = [...new Set(text.match(/[A-Za-z0-9+/_-]{12,}/g))]
  return runs.some((run) =>
    [0, 1, 2, 3].some((offset) =>
      (['base64', 'hex'] as const).some((encoding) => Buffer.from(run.slice(offset), encoding).toString('latin1').includes(canary)),
    ),
  )
}
