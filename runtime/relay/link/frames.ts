import type { Millis } from '../../domain/index.ts'
import { largestPiece, largestText } from './limits.ts'

/**
 * What goes through a tunnel: each WebSocket message is one frame. A byte says its type, four bytes name its stream, and the rest is its content.
 * Numbers have the highest byte first.
 */
export type Frame =
  /** Opens a stream. The content is JSON. */
  | { readonly type: 'open'; readonly stream: number; readonly text: string }
  /** Says that the stream is open. The content is JSON. */
  | { readonly type: 'opened'; readonly stream: number; readonly text: string }
  /** Says that it is not, and ends it. The content is JSON. */
  | { readonly type: 'refused'; readonly stream: number; readonly text: string }
  /** Bytes of a stream. `until`: when the agent must not pass them on any more, by its own clock. Null: no such limit. */
  | { readonly type: 'data'; readonly stream: number; readonly until: Millis | null; readonly bytes: Buffer }
  /** The sender of the frame has read so many bytes, so the other end may send as many more. */
  | { readonly type: 'credit'; readonly stream: number; readonly bytes: number }
  /** The sender of the frame has no more bytes for the stream. */
  | { readonly type: 'end'; readonly stream: number }
  /** The stream was cut, in both directions. */
  | { readonly type: 'reset'; readonly stream: number }
  | { readonly type: 'ping' }
  | { readonly type: 'pong' }
  /** The sender of the frame accepts no more streams. Open ones may end. */
  | { readonly type: 'leave' }
  /** Between processes: what carries the stream behind the sender will end, or does not answer. The stream should end once nobody uses it. */
  | { readonly type: 'leaving'; readonly stream: number }
  /** Between processes: others need the memory that the stream has at the sender. It should end if nobody uses it at the moment. */
  | { readonly type: 'spare'; readonly stream: number }

/** The number of a type on the wire. `late` is a data frame with a limit. */
const codes = {
  open: 1,
  opened: 2,
  refused: 3,
  data: 4,
  late: 5,
  credit: 6,
  end: 7,
  reset: 8,
  ping: 9,
  pong: 10,
  leave: 11,
  leaving: 12,
  spare: 13,
} as const

const header = 5
const limitBytes = 8

/** The largest frame, in bytes. */
export const largestFrame = header + Math.max(limitBytes + largestPiece, largestText)

/** Returns how many bytes a frame has. */
export function sizeOf(frame: Frame): number {
  switch (frame.type) {
    case 'data':
      return header + (frame.until === null ? 0 : limitBytes) + frame.bytes.length
    case 'credit':
      return header + 4
    case 'open':
    case 'opened':
    case 'refused':
      return header + Buffer.byteLength(frame.text)
    default:
      return header
  }
}

/** Writes a frame into memory that has room for it. Returns where it ends. */
export function putFrame(frame: Frame, into: Buffer, at: number): number {
  const content = at + header
  into.writeUInt32BE('stream' in frame ? frame.stream : 0, at + 1)
  if (frame.type === 'data') {
    const { until, bytes } = frame
    const late = until !== null
    into[at] = late ? codes.late : codes.data
    if (late) into.writeDoubleBE(until, content)
    const start = late ? content + limitBytes : content
    into.set(bytes, start)
    return start + bytes.length
  }
  into[at] = codes[frame.type]
  if (frame.type === 'credit') return into.writeUInt32BE(frame.bytes, content)
  return 'text' in frame ? content + into.write(frame.text, content) : content
}

/** Returns a frame as a WebSocket message. */
export function writeFrame(frame: Frame): Buffer {
  const message = Buffer.allocUnsafe(sizeOf(frame))
  putFrame(frame, message, 0)
  return message
}

/** Reads a WebSocket message. The bytes of a data frame are part of it. Null: malformed. */
export function readFrame(message: Buffer): Frame | null {
  if (message.length < header) return null
  const [stream, content] = [message.readUInt32BE(1), message.subarray(header)]
  switch (message[0]) {
    case codes.open:
      return textFrame('open', stream, content)
    case codes.opened:
      return textFrame('opened', stream, content)
    case codes.refused:
      return textFrame('refused', stream, content)
    case codes.data:
      return content.length <= largestPiece ? { type: 'data', stream, until: null, bytes: content } : null
    case codes.late:
      if (content.length < limitBytes || content.length > limitBytes + largestPiece) return null
      return { type: 'data', stream, until: content.readDoubleBE(0), bytes: content.subarray(limitBytes) }
    case codes.credit:
      return content.length === 4 ? { type: 'credit', stream, bytes: content.readUInt32BE(0) } : null
    case codes.end:
      return { type: 'end', stream }
    case codes.reset:
      return { type: 'reset', stream }
    case codes.ping:
      return { type: 'ping' }
    case codes.pong:
      return { type: 'pong' }
    case codes.leave:
      return { type: 'leave' }
    case codes.leaving:
      return { type: 'leaving', stream }
    case codes.spare:
      return { type: 'spare', stream }
    default:
      return null
  }
}

function textFrame(type: 'open' | 'opened' | 'refused', stream: number, content: Buffer): Frame | null {
  return content.length <= largestText ? { type, stream, text: content.toString() } : null
}
