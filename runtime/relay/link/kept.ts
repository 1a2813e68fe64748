import { largestTurn } from './limits.ts'

/** The most memory that waits to be used again: 1 MB. Of many streams that wait, a few go on at a time. */
const most = 16

/** Less than this is copied into memory of its own, so that many small pieces do not take much. */
const worthIt = largestTurn / 4

/**
 * Memory for copies of what waits. Without it, a stream that is faster than the network would make as much garbage as it has bytes. V8 counts that
 * late, because it is outside of its heap.
 */
const spare: Buffer[] = []
/** All of it that was ever made. Small copies are in memory of Node's own, which belongs to others, too. */
const ours = new WeakSet<object>()

/** Copies bytes. Returns the copy, which may be a part of more memory. */
export function copyOf(bytes: Buffer): Buffer {
  if (bytes.length < worthIt || bytes.length > largestTurn) return Buffer.from(bytes)
  const memory = spare.pop() ?? Buffer.allocUnsafeSlow(largestTurn)
  ours.add(memory.buffer)
  bytes.copy(memory)
  return memory.subarray(0, bytes.length)
}

/** Takes back what `copyOf` returned. Nobody may use it any more. */
export function giveBack(copy: Buffer): void {
  if (ours.has(copy.buffer) && spare.length < most) spare.push(Buffer.from(copy.buffer))
}
