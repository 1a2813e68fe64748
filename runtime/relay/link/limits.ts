import type { Millis } from '../../domain/index.ts'

/** The WebSocket subprotocol. The number rises if an older end could not speak with a newer one. */
export const protocol = 'tocsin-agent.1'

/** The path of the WebSocket below the address of Tocsin. */
export const tunnelPath = '/platformapi/agents/tunnel'

/** The most streams that are open at once in one tunnel. */
export const mostStreams = 256

/** The most bytes in one data frame. Frames of several streams take turns. It is also what TLS has in one record. */
export const largestPiece = 16 * 1024

/** Pieces of up to so many bytes are joined while they wait. */
export const smallPiece = 1024

/** The largest WebSocket message. A peer that sends a larger one is cut off. */
export const largestMessage = 32 * 1024

/** The largest text in a frame, or before the tunnel is open. */
export const largestText = 4 * 1024

/** How many bytes of a tunnel may wait for the network. Beyond that, its streams wait. */
export const mostWaiting = 256 * 1024

/** What a stream may send although the network is full, when it is its turn: what a socket reads at once. The rest would have to be kept. */
export const largestTurn = 64 * 1024

/** A peer that reads nothing, but makes this end answer, is cut off when so many bytes wait for it. */
export const mostUnsent = 1024 * 1024

/** The same as the two, in writes to the connection. Each costs memory of its own, however small it is. */
export const mostWaitingWrites = 1_024
export const mostUnsentWrites = 8_192

/** After so many WebSocket messages in one turn of the event loop, an end reads no more in that turn. */
export const mostMessagesInTurn = 1_000

/** How many bytes of a stream may be unread. It begins small, and grows while the reader keeps up. */
export interface WindowSizes {
  /** Both ends know it, so it is part of the protocol. */
  readonly first: number
  readonly most: number
  /** By how much all windows of a tunnel together may grow. */
  readonly growth: number
}

/** Towards the runtime. With a round trip of 100 ms, the largest window lets 160 MB a second through. */
export const answerWindow: WindowSizes = { first: 128 * 1024, most: 16 * 1024 * 1024, growth: 64 * 1024 * 1024 }

/** Towards the agent. Requests are small, and so is the agent. */
export const requestWindow: WindowSizes = { first: 64 * 1024, most: 512 * 1024, growth: 4 * 1024 * 1024 }

/** How long signing in may take, from the connection to the welcome. */
export const greetingTime: Millis = 10_000

/** How often each end asks the other whether it is there. If it hears nothing at all until the next time, it ends the tunnel. */
export const beat: Millis = 10_000

/** A peer that answers nothing for so long counts as silent: other ways come first. */
export const patience: Millis = 1_000

/** The most `ping` and `leave` frames of the other end in one beat. An honest end sends a few. */
export const mostControlFrames = 1_000
