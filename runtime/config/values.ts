import { readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import type { Millis } from '../domain/index.ts'
import { fileFault, systemCode } from '../files/index.ts'
import { parseDuration, parseSize, parseVaultKey, readAllowList } from '../formats/index.ts'
import type { LogLevel } from '../telemetry/index.ts'
import { invalid, nameOf } from './problems.ts'
import type { SettingName } from './settings.ts'

/** Parses one kind of setting, like each function here. @throws TocsinError `config_invalid` with a remedy */

const logLevels: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] satisfies readonly LogLevel[]

export function listOf(text: string | null): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

export function integer(name: SettingName, text: string | null, least: number, most: number, example: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text ?? '') && value >= least && value <= most) return value
  throw invalid(name, `must be an integer from ${least} to ${most}; it is "${text}".`, `Give a number such as ${example}.`)
}

export function logLevel(text: string): LogLevel {
  if (logLevels.includes(text)) return text as LogLevel
  throw invalid('logLevel', `must be one of ${logLevels.join(', ')}; it is "${text}".`, 'Give one of these, or leave it out for info.')
}

export function adminKey(text: string | null): string | null {
  const remedy = 'Make one with: openssl rand -hex 32'
  if (text !== null && !/^[\x21-\x7e]{32,200}$/.test(text))
    throw invalid('adminKey', 'must be 32 to 200 printable ASCII characters without spaces: anyone who guesses it can do everything.', remedy)
  // Clients may send it in a Cookie header, where these characters would end the value.
  if (text !== null && /[;,"\\]/.test(text)) throw invalid('adminKey', 'must not have any of ; , " \\', remedy)
  return text
}

export function vaultKey(text: string | null): string | null {
  if (text !== null) parseVaultKey(text, nameOf('vaultKey'))
  return text
}

export function vaultKeysOld(texts: readonly string[]): readonly string[] {
  for (const text of texts) parseVaultKey(text, nameOf('vaultKeyOld'))
  return texts
}

export function egressAllow(given: readonly string[]): readonly string[] {
  readAllowList(given)
  return given
}

export function peerUrl(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text)
  if (text === null || (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`)) return text
  throw invalid('peerUrl', `must be http:// or https:// with a host and perhaps a port; it is "${text}".`, 'Give one such as http://10.0.0.5:8080.')
}

/** The client of Redis would fail later, and its errors name neither the setting nor a remedy. No message repeats the URL: it has the password. */
export function redisUrl(text: string): string {
  const url = URL.parse(text)
  const escapes = 'In a password, write / as %2F, # as %23, ? as %3F and % as %25.'
  if (url === null || url.hash !== '' || !isDecodable(url.username) || !isDecodable(url.password))
    throw invalid('redis', 'is not a valid URL.', `Write it as redis://user:password@host:6379. ${escapes}`)
  const databases = [url.pathname.replace(/^\//, ''), url.searchParams.get('db') ?? '']
  if (databases.every((database) => /^\d{0,9}$/.test(database))) return text
  throw invalid(
    'redis',
    'must end with the number of a database, or nothing, after the host.',
    `Write it as redis://user:password@host:6379/0. ${escapes}`,
  )
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

export function proxies(given: readonly string[]): readonly string[] {
  const wrong = given.find((entry) => !ipaddr.isValid(entry) && !ipaddr.isValidCIDR(entry))
  if (wrong === undefined) return given
  throw invalid(
    'trustedProxies',
    `must be addresses or CIDRs such as 10.0.0.0/8; "${wrong}" is neither.`,
    'Give the address that the proxy connects from, not its name.',
  )
}

/** If this many retries do not help, the fault is not temporary. */
const mostRetries = 10

export function retryDelays(given: readonly string[]): readonly Millis[] {
  if (given.length === 1 && given[0] === 'none') return []
  try {
    if (given.length <= mostRetries) return given.map(parseDuration)
  } catch {
    // The error is thrown below.
  }
  throw invalid(
    'retryDelays',
    `must be up to ${mostRetries} durations such as 1m,5m,15m, or none; it is "${given.join(',')}".`,
    'Write each as a number and ms, s, m, h or d, with commas between them.',
  )
}

/** Far below the limit of Node's timers (about 24 days), and longer than anybody waits for a stop. */
const longestStop: Millis = 3_600_000

export function stopWithin(text: string): Millis {
  try {
    const millis = parseDuration(text)
    if (millis <= longestStop) return millis
  } catch {
    // The error is thrown below.
  }
  throw invalid('stopWithin', `must be a duration of at most 1h, such as 10s; it is "${text}".`, 'Write it as a number and s or m.')
}

export function bodyLimit(text: string): number {
  try {
    return parseSize(text)
  } catch {
    throw invalid('bodyLimit', `must be a size such as 1MiB; it is "${text}".`, 'Write it as a number and KiB or MiB.')
  }
}

/** Reads the certificates of TOCSIN_CA_FILE, in PEM. */
export function certificates(file: string | null): string[] {
  if (file === null) return []
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const why = systemCode(error) === 'ENOENT' ? `there is no file ${file} (ENOENT).` : fileFault(file, 'be read', error).message
    throw invalid('caFile', `cannot be read: ${why}`, 'Give the path of a PEM file that the user who runs Tocsin may read.')
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return [text]
  const remedy = 'Give the certificate, not its key; from DER: openssl x509 -inform der -in ca.crt -out ca.pem'
  throw invalid('caFile', `has no certificate in PEM: ${file}`, remedy)
}
