import {
  MongoAPIError,
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoNotConnectedError,
  MongoParseError,
  MongoServerClosedError,
  MongoServerError,
  MongoTopologyClosedError,
} from 'mongodb'
import type { Clock } from '../../../domain/index.ts'
import { messageOf, TocsinError } from '../../../errors/index.ts'
import { answeredWithin, longestCall } from './time-limit.ts'

/**
 * Server codes that mean that the server cannot answer now: unreachable members, no primary, shutting down,
 * time limits, write concern not met, disk full. From the server's error_codes.yml.
 */
const unavailableCodes: ReadonlySet<unknown> = new Set([
  6, 7, 50, 64, 79, 89, 91, 100, 112, 134, 189, 202, 262, 317, 9001, 10058, 10107, 11600, 11602, 13435, 13436, 14031,
])
const duplicateKey = 11000

/** Errors of the driver's API that mean a lost connection, not a wrong call. */
const closed = [MongoNotConnectedError, MongoTopologyClosedError, MongoClientClosedError, MongoServerClosedError]

function nothingWrong({ result }: MongoBulkWriteError): boolean {
  return (result?.getWriteErrors() ?? []).length === 0
}

/** Codes of Node for what happens to a socket: those of the system (`ECONNRESET`), and those of streams and TLS. */
const ofSockets = /^(?:E[A-Z0-9]+|ERR_(?:STREAM|SOCKET|SSL|TLS)_\w+)$/

/**
 * Returns whether Node raised the error for a socket. The driver passes one on if a connection is lost while data still waits to leave, or
 * right before a command is written to it.
 */
function ofASocket(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ofSockets.test(String(error.code))
}

function cannotAnswer(error: unknown): boolean {
  if (!(error instanceof MongoError)) return ofASocket(error)
  // If a connection is lost in a bulk, the error is wrapped. It has no server code and no item errors.
  if (error instanceof MongoBulkWriteError && (error.result?.getWriteConcernError() || (typeof error.code !== 'number' && nothingWrong(error))))
    return true
  if (error instanceof MongoServerError) return error.hasErrorLabel('RetryableWriteError') || unavailableCodes.has(error.code)
  if (error instanceof MongoAPIError) return closed.some((kind) => error instanceof kind)
  return !(error instanceof MongoParseError)
}

/**
 * Turns "MongoDB cannot answer now" into `store_unavailable`. Returns other errors unchanged, because they
 * are bugs.
 */
export function translate(error: unknown): unknown {
  return cannotAnswer(error) ? new TocsinError('store_unavailable', `MongoDB does not answer: ${messageOf(error)}`, [], { cause: error }) : error
}

/** Returns whether a write failed because a unique key is taken. */
export function isDuplicate(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && error.code === duplicateKey
}

/**
 * Returns the errors of a bulk's items by their index. Throws the error if it concerns the whole bulk. If the
 * write concern was not met, nothing is known about any item, not even about those that were written.
 */
export function itemFaults(error: unknown): ReadonlyMap<number, 'duplicate' | Error> {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error
  const faults = error.result.getWriteErrors()
  if (faults.length === 0) throw error
  return new Map(faults.map(({ index, code, errmsg }) => [index, code === duplicateKey ? 'duplicate' : new Error(errmsg ?? `MongoDB error ${code}`)]))
}

/**
 * Runs a write that may be repeated but that the driver does not repeat. Repeats it once if the server was
 * lost meanwhile.
 */
export async function repeatedOnce<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!cannotAnswer(error)) throw error
    return write()
  }
}

/** Returns the same aggregate, with translated errors and a time limit for each call (`longestCall`). */
export function translated<T extends object>(clock: Pick<Clock, 'after'>, aggregate: T): T {
  const methods = Object.entries(aggregate).map(([name, method]: [string, (...parameters: unknown[]) => Promise<unknown>]) => [
    name,
    (...parameters: unknown[]) =>
      answeredWithin(clock, longestCall, method(...parameters)).catch((error: unknown) => {
        throw translate(error)
      }),
  ])
  return Object.fromEntries(methods) as T
}
