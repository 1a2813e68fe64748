import { MongoServerError } from 'mongodb'

/** From the server's error_codes.yml: QueryExceededMemoryLimitNoDiskUseAllowed. */
const needsFiles = 292

/**
 * Reads rows that MongoDB may have to sort, because no index has their order. It sorts in memory first, and only with files if its limit for
 * memory (100 MB) is too small. A sort that may use files takes the server longer, even if it needs none: 13 ms on a slow file system.
 * @param read asks once; the result must have all rows, or a whole page
 */
export async function sortedInMemory<T>(read: (allowDiskUse: boolean) => Promise<T>): Promise<T> {
  try {
    return await read(false)
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== needsFiles) throw error
    return read(true)
  }
}
