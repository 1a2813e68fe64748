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

function begin(code: number, stream: number, content: number, into: Buffer = Buffer.allocUnsafe(header + content)): Buffer {
  into.writeUInt8(code, 0)
  into.writeUInt32BE(stream, 1)
  return into.subarray(0, header + content)
}

/** Returns a data frame as a WebSocket message. @param into memory for `largestFrame` bytes. By default, it takes as much as it needs */
export function writeData({ stream, until, bytes }: Extract<Frame, { type: 'data' }>, into?: Buffer): Buffer {
  const before = until === null ? 0 : limitBytes
  const message = begin(until === null ? codes.data : codes.late, stream, before + bytes.length, into)
  if (until !== null) message.writeDoubleBE(until, header)
  bytes.copy(message, header + before)
  return message
}

/** Returns a frame as a WebSocket message. */
export function writeFrame(frame: Frame): Buffer {
  switch (frame.type) {
    case 'open':
    case 'opened':
    case 'refused': {
      const message = begin(codes[frame.type], frame.stream, Buffer.byteLength(frame.text))
      message.write(frame.text, header)
      return message
    }
    case 'data':
      return writeData(frame)
    case 'credit': {
      const message = begin(codes.credit, frame.stream, 4)
      message.writeUInt32BE(frame.bytes, header)
      return message
    }
    case 'end':
    case 'reset':
    case 'leaving':
    case 'spare':
      return begin(codes[frame.type], frame.stream, 0)
    default:
      return begin(codes[frame.type], 0, 0)
  }
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
