import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parse as losslessParse } from 'lossless-json'
import { TocsinError } from '../../errors/index.ts'
import { maxDepth, memberCount, repeatedField, structureOf } from './json-structure.ts'

/** Makes the server read JSON bodies by this file's rules, and no other bodies. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Fastify gives a Buffer for parseAs 'buffer'; its type does not say so.
    let value: unknown
    try {
      value = readBody(request, body as Buffer)
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)), undefined)
      return
    }
    done(null, value)
  })
}

function readBody(request: FastifyRequest, body: Buffer): unknown {
  checkEncoding(request)
  if (body.length === 0) {
    if (request.routeOptions.schema?.body === undefined) return undefined
    throw new TocsinError('body_not_json', 'The body is empty.')
  }
  return parseBody(body)
}

function checkEncoding(request: FastifyRequest): void {
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

/**
 * One JSON value from its bytes: UTF-8 (a byte order mark is skipped), no field twice, not too deep.
 * @throws TocsinError `body_not_utf8`, `body_not_json`, `body_too_deep`, `field_repeated`
 */
export function parseBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new TocsinError('body_not_utf8', 'The body has bytes that are not UTF-8.')
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const text = bytes.toString('utf8', marked ? 3 : 0)
  // Before it is parsed: a million brackets cost much memory to parse and nothing to count.
  const structure = structureOf(text)
  if (structure.depth > maxDepth) {
    throw new TocsinError('body_too_deep', `The body has ${structure.depth} objects or lists inside one another; ${maxDepth} are allowed.`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw notJson(bytes, text, error)
  }
  if (memberCount(value) !== structure.members) {
    const field = repeatedField(text) ?? ''
    throw new TocsinError('field_repeated', 'The body has a field twice.', [{ field, message: 'is given more than once' }])
  }
  return value
}

function notJson(bytes: Buffer, text: string, error: unknown): TocsinError {
  // UTF-16 and UTF-32 of plain letters are also valid UTF-8, with a NUL at every other place.
  if (bytes.length > 1 && (bytes[0] === 0 || bytes[1] === 0)) return new TocsinError('body_not_utf8', 'The body looks like UTF-16 or UTF-32.')
  const offset = faultOffset(text, error)
  if (offset === null) return new TocsinError('body_not_json', 'The body is not one JSON value.')
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  const column = offset - before.lastIndexOf('\n')
  const message = offset >= text.trimEnd().length ? 'the body ends here, too early' : 'JSON does not allow what stands here'
  return new TocsinError('body_not_json', `The body is not JSON from line ${line}, column ${column} on.`, [{ field: '', message, line, column }])
}

/** Longer texts are not read a second time only to name the place. */
const maxLocated = 1_048_576

/** The parser of the engine names the place only sometimes; then a second, slower parser is asked. */
function faultOffset(text: string, error: unknown): number | null {
  const named = positionIn(error)
  if (named !== null || text.length > maxLocated) return named
  try {
    losslessParse(text)
    return null
  } catch (second) {
    return positionIn(second)
  }
}

function positionIn(error: unknown): number | null {
  const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined
  return position === undefined ? null : Number(position)
}
