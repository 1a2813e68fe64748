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
import { messageOf, TocsinError } from '../../../errors/index.ts'

/**
 * Server codes that say that the server cannot do it now, not that it was asked wrongly: unreachable members, no primary, shutting
 * down, time limits, write concern not met, disk full. From the server's error_codes.yml.
 */
const unavailableCodes: ReadonlySet<unknown> = new Set([
  6, 7, 50, 64, 79, 89, 91, 100, 112, 134, 189, 202, 262, 317, 9001, 10058, 10107, 11600, 11602, 13435, 13436, 14031,
])
const duplicateKey = 11000

/** Errors of the driver's API that come from a connection that is gone rather than from a wrong call. */
const closed = [MongoNotConnectedError, MongoTopologyClosedError, MongoClientClosedError, MongoServerClosedError]

function nothingWrong({ result }: MongoBulkWriteError): boolean {
  return (result?.getWriteErrors() ?? []).length === 0
}

/** An error of Node's own: the driver lets one through where a connection is lost while what was written to it waits to leave. */
function ofTheSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'errno' in error
}

function cannotAnswer(error: unknown): boolean {
  if (!(error instanceof MongoError)) return ofTheSystem(error)
  // A connection that is lost in a bulk comes wrapped, without a code of the server's and without an error of any item.
  if (error instanceof MongoBulkWriteError && (error.result?.getWriteConcernError() || (typeof error.code !== 'number' && nothingWrong(error))))
    return true
  if (error instanceof MongoServerError) return error.hasErrorLabel('RetryableWriteError') || unavailableCodes.has(error.code)
  if (error instanceof MongoAPIError) return closed.some((kind) => error instanceof kind)
  return !(error instanceof MongoParseError)
}

/** What a caller of the store shall see of an error: the driver's "cannot answer" as `store_unavailable`, a defect as it is. */
export function translate(error: unknown): unknown {
  return cannotAnswer(error) ? new TocsinError('store_unavailable', `MongoDB does not answer: ${messageOf(error)}`, [], { cause: error }) : error
}

/** Whether a write failed because a unique key is taken. */
export function isDuplicate(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && error.code === duplicateKey
}

/**
 * The faults of a bulk's items by their index, where the items can be told apart; whatever concerns the whole bulk is thrown.
 * A bulk whose write concern was not met is no answer at all, also for those of its items that were written.
 */
export function itemFaults(error: unknown): ReadonlyMap<number, 'duplicate' | Error> {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error
  const faults = error.result.getWriteErrors()
  if (faults.length === 0) throw error
  return new Map(faults.map(({ index, code, errmsg }) => [index, code === duplicateKey ? 'duplicate' : new Error(errmsg ?? `MongoDB error ${code}`)]))
}

/** For a write that the driver does not repeat by itself and that may be repeated: does so once when the server was lost meanwhile. */
export async function repeatedOnce<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!cannotAnswer(error)) throw error
    return write()
  }
}

/** The same aggregate, its errors translated. */
export function translated<T extends object>(aggregate: T): T {
  const methods = Object.entries(aggregate).map(([name, method]: [string, (...parameters: unknown[]) => Promise<unknown>]) => [
    name,
    (...parameters: unknown[]) =>
      method(...parameters).catch((error: unknown) => {
        throw translate(error)
      }),
  ])
  return Object.fromEntries(methods) as T
}
