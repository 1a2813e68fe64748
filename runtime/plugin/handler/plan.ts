import { parseDuration, parseSize } from '../../formats/index.ts'
import type { Bundle } from '../bundle.ts'
import type { HandlerDocument } from '../grammar/index.ts'
import type { HandlerPlan } from '../types.ts'

/** How a bundle writes a default export. esbuild puts functions of its own before it. */
export const defaultExport = 'default:()=>'

const mebibyte = 1024 * 1024
/**
 * The least and the most memory for an isolate. V8 needs the least; the most is what one call may
 * take from a worker.
 */
const [leastMemory, mostMemory] = [8 * mebibyte, 512 * mebibyte]

/** @throws RangeError if a limit is out of range */
export function planHandler(
  { timeout = '2m', memory = '64MiB', max_requests = 100, max_stream = '1GiB', errors = {} }: HandlerDocument,
  bundle: Bundle,
): HandlerPlan {
  const bytes = parseSize(memory)
  if (bytes < leastMemory || bytes > mostMemory) throw new RangeError('`memory` must be 8MiB to 512MiB')
  const millis = parseDuration(timeout)
  if (millis === 0) throw new RangeError('`timeout` must be longer than zero')
  return { timeout: millis, memory: bytes, maxRequests: max_requests, maxStream: parseSize(max_stream), errors, bundle }
}
