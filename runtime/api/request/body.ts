import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Json, mostNames, parseJson } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { Turns } from '../../fairness/index.ts'
import { decodeInTurns, type JsonLimits, JsonRefused, memberCount, readJson, repeatedField, structureOf } from '../../json/index.ts'

/** Makes the server read JSON bodies by the rules of this file, and refuse all others. */
export function acceptJsonBodies(app: FastifyInstance, turns: Turns): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const fail = (error: unknown): void => done(error instanceof Error ? error : new Error(String(error)), undefined)
    try {
      // For parseAs 'buffer', Fastify passes a Buffer, but its types do not say so.
      const value = readBody(request, body as Buffer, turns)
      if (value instanceof Promise) value.then((read) => done(null, read), fail)
      else done(null, value)
    } catch (error) {
      fail(error)
    }
  })
}

function readBody(request: FastifyRequest, body: Buffer, turns: Turns): unknown {
  checkEncoding(request)
  if (body.length === 0) {
    if (request.routeOptions.schema?.body === undefined) return undefined
    throw new TocsinError('body_not_json', 'The body is empty.')
  }
  const parse = request.routeOptions.config.operation?.passesOn ? parseJson : JSON.parse
  return parseBody(body, turns, request.caller?.principal.id ?? '', parse)
}

/** Refuses a body that is compressed, or in another charset than UTF-8. @throws TocsinError `body_not_utf8` */
export function checkEncoding(request: FastifyRequest): void {
  const coding = request.headers['content-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new TocsinError('body_not_utf8', 'The body has a Content-Encoding; send it uncompressed.')
  }
  const type = request.headers['content-type']
  if (type === undefined || type === 'application/json') return
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1]
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw new TocsinError('body_not_utf8', 'The Content-Type names a charset other than UTF-8.')
  }
}

/** The most levels of objects and lists. */
const maxDepth = 32

/** Up to this many bytes, a body is decoded in one step. */
const short = 262_144

/** Decodes UTF-8 and drops a byte order mark. */
const utf8 = new TextDecoder()

/** Limits of a body. */
const limits: JsonLimits = { levels: maxDepth, values: 200_000, names: mostNames }

/**
 * Parses one JSON value from its bytes. They must be UTF-8 (a byte order mark is skipped), with no field twice, not too deep, and without too
 * many values. Reads a short body in one step and a long one in turns of the event loop.
 * @param key the owner of the turns
 * @param parse `JSON.parse`, or how to parse without loss
 * @throws TocsinError `body_not_utf8`, `body_not_json`, `body_too_deep`, `body_too_many_values`, `field_repeated`
 */
export function parseBody(bytes: Buffer, turns: Turns, key: string, parse: (text: string) => Json = JSON.parse): unknown {
  if (!isUtf8(bytes)) throw new TocsinError('body_not_utf8', 'The body has bytes that are not UTF-8.')
  const refuse = (text: string, error: unknown): never => {
    throw error instanceof JsonRefused ? refusal(bytes, text, error) : error
  }
  const piece = (text: string): Json => {
    const value = parse(text)
    if (memberCount(value) !== structureOf(text).members) throw new JsonRefused('repeated', 'has a field twice', null)
    return value
  }
  const read = (text: string): unknown => {
    try {
      const value = readJson(text, { limits, turns, key, unique: true, piece })
      return value instanceof Promise ? value.catch((error: unknown) => refuse(text, error)) : value
    } catch (error) {
      return refuse(text, error)
    }
  }
  return bytes.length > short ? decodeInTurns(new TextDecoder(), bytes, turns, key).then(read) : read(utf8.decode(bytes))
}

/** In a longer text, Tocsin does not search for the line and column of a mistake. */
const maxLocated = 1_048_576

function refusal(bytes: Buffer, text: string, error: JsonRefused): TocsinError {
  switch (error.fault) {
    case 'syntax':
      return notJson(bytes, text, error.at)
    case 'levels':
      return new TocsinError('body_too_deep', `The body ${error.message}.`)
    case 'repeated': {
      const field = text.length > maxLocated ? '' : (repeatedField(text) ?? '')
      return new TocsinError('field_repeated', 'The body has a field twice.', [{ field, message: 'is given more than once' }])
    }
    default:
      return new TocsinError('body_too_many_values', `The body ${error.message}.`)
  }
}

function notJson(bytes: Buffer, text: string, offset: number | null): TocsinError {
  // Plain letters in UTF-16 or UTF-32 are also valid UTF-8, with many NUL characters.
  if (bytes.length > 1 && (bytes[0] === 0 || bytes[1] === 0)) return new TocsinError('body_not_utf8', 'The body looks like UTF-16 or UTF-32.')
  if (offset === null) return new TocsinError('body_not_json', 'The body is not one JSON value.')
  if (offset > maxLocated) return new TocsinError('body_not_json', `The JSON of the body has a mistake at character ${offset}.`)
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  const column = offset - before.lastIndexOf('\n')
  const message = text.slice(offset, offset + maxLocated).trim() === '' ? 'the body ends here, too early' : 'JSON does not allow this here'
  return new TocsinError('body_not_json', `The JSON of the body has a mistake at line ${line}, column ${column}.`, [
    { field: '', message, line, column },
  ])
}
