import type { Json } from '../../domain/index.ts'
import { compileCondition, compilePattern, compileText, compileValue, type Meter, renderText, type TextTemplate } from '../../expressions/index.ts'
import { parseDuration, parseSize } from '../../formats/index.ts'
import { typeFault } from '../credentials/credential-types.ts'
import { type CredentialField, credentialsOfAuth, type ManifestDocument } from '../grammar/index.ts'
import type { Manifest, RateLimit, RetryRule } from '../types.ts'
import { checkManifestCodes } from './codes.ts'
import { compileToken, errorRowsOf } from './compile-auth.ts'
import { compileDetections } from './compile-detect.ts'
import type { FaultPlaces } from './fault-places.ts'

const defaultTimeout = 30_000
const defaultWriteTimeout = 60_000
const defaultMaxAnswer = 20 * 1024 * 1024

/**
 * Returns the names of the plain credential fields, which templates may read, and of the secret
 * ones, which they may not.
 */
export function credentialNames({ credentials }: ManifestDocument): { readonly plain: readonly string[]; readonly secret: readonly string[] } {
  return {
    plain: credentials.filter((field) => !field.secret).map(({ name }) => name),
    secret: credentials.filter((field) => field.secret).map(({ name }) => name),
  }
}

/** Compiles a manifest that fits its schema. Inconsistencies are added to `places`. */
export function compileManifest(document: ManifestDocument, places: FaultPlaces): Manifest {
  checkCredentialFields(document, places)
  checkReferences(document, places)
  const { plain } = credentialNames(document)
  const origins = document.origins.flatMap((origin, at) => {
    const path = ['origins', at]
    // If the scheme is literal, so is where the host begins. Otherwise a value may be a whole origin.
    const insert = /^[a-z]+:/i.test(origin) ? asPartOfHost : renderText
    const compiled = places.attempt(path, () => compileText(origin, {}, insert))
    if (compiled) places.reads(path, compiled.reads, { credentials: plain })
    return compiled ?? []
  })
  checkProbes(document, places)
  checkManifestCodes(document, places)
  const { request } = document
  const timeout = request?.timeout === undefined ? defaultTimeout : parseDuration(request.timeout)
  const basePath = basePathOf(request?.base_path ?? '', plain, Object.keys(document.detect ?? {}), places)
  return {
    document,
    origins,
    request: {
      base: request?.base?.credential ?? null,
      basePath,
      headers: request?.headers ?? {},
      timeout,
      writeTimeout: request?.write_timeout === undefined ? Math.min(timeout, defaultWriteTimeout) : parseDuration(request.write_timeout),
      maxAnswer: request?.max_response === undefined ? defaultMaxAnswer : parseSize(request.max_response),
    },
    retry: document.retry === undefined ? null : retryOf(document.retry),
    rateLimit: document.rate_limit === undefined ? null : rateLimitOf(document.rate_limit),
    errors: errorRowsOf(document.errors, ['errors'], places),
    token: compileToken(document, plain, places),
    detect: compileDetections(document, plain, basePath, places),
  }
}

/** Refuses a value that could end the host around it, and so name another one. */
function asPartOfHost(value: unknown, meter: Meter): string {
  const text = renderText(value, meter)
  if (/[^\p{L}\p{M}\p{N}.:[\]_-]/u.test(text)) throw new Error(`${JSON.stringify(text.slice(0, 100))} cannot be a part of a host`)
  return text
}

/** Encodes a value for the base path, where it may be several segments. */
function asSegments(value: unknown, meter: Meter): string {
  return renderText(value, meter).split('/').map(encodeURIComponent).join('/')
}

function basePathOf(text: string, plain: readonly string[], detected: readonly string[], places: FaultPlaces): TextTemplate {
  const path = ['request', 'base_path']
  const compiled = places.attempt(path, () => compileText(text.replace(/\/+$/, ''), {}, asSegments))
  if (compiled) places.reads(path, compiled.reads, { credentials: plain, ...(detected.length > 0 && { detected }) })
  return compiled ?? compileText('')
}

function rateLimitOf({ requests, interval, burst }: NonNullable<ManifestDocument['rate_limit']>): RateLimit {
  return { requests, interval: parseDuration(interval), burst: Math.max(burst ?? 1, 1) }
}

function retryOf(retry: NonNullable<ManifestDocument['retry']>): RetryRule {
  const delay = parseDuration(retry.delay)
  const maxDelay = retry.max_delay === undefined ? Math.max(delay, 60_000) : parseDuration(retry.max_delay)
  return { attempts: retry.attempts, backoff: retry.backoff, delay, maxDelay, on: retry.on }
}

function checkCredentialFields({ credentials }: ManifestDocument, places: FaultPlaces): void {
  const seen = new Set<string>()
  for (const [at, field] of credentials.entries()) {
    const path = ['credentials', at]
    if (seen.has(field.name)) places.add([...path, 'name'], `the field \`${field.name}\` is already defined`)
    seen.add(field.name)
    if ((field.type === 'enum') !== (field.values !== undefined))
      places.add([...path, 'type'], 'a field of type `enum` needs `values`, and no other type may have it')
    if (field.secret && field.default !== undefined) places.add([...path, 'default'], 'a secret cannot have a default')
    else if (field.default !== undefined) checkDefault(field, path, places)
    for (const [number, rule] of (field.rules ?? []).entries()) {
      const key = rule.matching === undefined ? 'not_matching' : 'matching'
      places.attempt([...path, 'rules', number, key], () => compilePattern(rule[key] ?? ''))
    }
  }
}

function checkDefault(field: CredentialField, path: readonly (string | number)[], places: FaultPlaces): void {
  const fault = typeFault(field, field.default as Json)
  if (fault !== null) places.add([...path, 'default'], fault)
}

function checkReferences({ credentials, auth, paste, request, roles, role_from }: ManifestDocument, places: FaultPlaces): void {
  const names = credentials.map(({ name }) => name)
  for (const { path, credential } of credentialsOfAuth(auth)) {
    if (!names.includes(credential)) places.unknown(path, 'credential field', credential, names)
  }
  const key = auth.scheme === 'jws_hs256' ? credentials.find(({ name }) => name === auth.key.credential) : undefined
  if (key !== undefined && key.type !== 'base64') places.add(['auth', 'key', 'credential'], 'the signing key must be a field of type `base64`')
  if (auth.scheme === 'jws_hs256') checkSame(auth, places)
  const base = request?.base?.credential
  const based = credentials.find(({ name }) => name === base)
  if (base !== undefined && !based) places.unknown(['request', 'base', 'credential'], 'credential field', base, names)
  else if (based && (based.type !== 'url' || based.secret))
    places.add(['request', 'base', 'credential'], 'the base must be a plain field of type `url`')
  for (const [at, { map }] of (paste ?? []).entries()) {
    for (const name of Object.keys(map)) if (!names.includes(name)) places.unknown(['paste', at, 'map', name], 'credential field', name, names)
  }
  if (role_from !== undefined && roles === undefined) places.add(['role_from'], '`role_from` needs `roles`')
}

function checkSame({ same = [], header }: Extract<ManifestDocument['auth'], { scheme: 'jws_hs256' }>, places: FaultPlaces): void {
  for (const [at, member] of same.entries()) {
    const claim = Object.hasOwn(header, member) ? header[member] : undefined
    if (claim === undefined) places.unknown(['auth', 'same', at], 'member of `header`', member, Object.keys(header))
    else if (typeof claim === 'object' && 'now' in claim) places.add(['auth', 'same', at], 'an answer cannot repeat the time of sending')
  }
}

/** Checks the test, reachability and role requests. Their templates may read plain credential fields only. */
function checkProbes(document: ManifestDocument, places: FaultPlaces): void {
  for (const [at, { when }] of (document.test.warn ?? []).entries()) {
    const compiled = places.attempt(['test', 'warn', at, 'when'], () => compileCondition(when))
    if (compiled) places.reads(['test', 'warn', at, 'when'], compiled.reads, { body: null })
  }
  const { plain } = credentialNames(document)
  for (const key of ['test', 'reachability', 'role_from'] as const) {
    const request = document[key]?.request
    if (request === undefined) continue
    const { path, query, headers } = request
    const body = 'body' in request ? request.body : null
    const value = places.attempt([key, 'request'], () => compileValue({ path, query: query ?? {}, headers: headers ?? {}, body: body ?? null }))
    if (value) places.reads([key, 'request'], value.reads, { credentials: plain })
  }
}
