import { parseDuration, parseSize } from '../../yaml/index.ts'
import type { Bundle } from '../bundle.ts'
import type { HandlerDocument } from '../grammar/index.ts'
import type { HandlerPlan } from '../types.ts'

const mebibyte = 1024 * 1024
/** The least that an isolate can be given, and the most that a worker gives one call. */
const [leastMemory, mostMemory] = [8 * mebibyte, 512 * mebibyte]

/** @throws RangeError when a limit is outside what the host can give */
export function planHandler(
  { timeout = '2m', memory = '64MiB', max_requests = 100, max_stream = '1GiB', errors = {} }: HandlerDocument,
  bundle: Bundle,
): HandlerPlan {
  const bytes = parseSize(memory)
  if (bytes < leastMemory || bytes > mostMemory) throw new RangeError('`memory` must be 8MiB to 512MiB')
  const millis = parseDuration(timeout)
  if (millis === 0) throw new RangeError('`timeout` must be more than nothing')
  return { timeout: millis, memory: bytes, maxRequests: max_requests, maxStream: parseSize(max_stream), errors, bundle }
}
