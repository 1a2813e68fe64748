import type { Millis } from '../../domain/index.ts'

/** The WebSocket subprotocol. The number rises if an older end could not speak with a newer one. */
export const protocol = 'tocsin-agent.1'

/** The path of the WebSocket below the address of Tocsin. */
export const tunnelPath = '/platformapi/agents/tunnel'

/** The most streams that are open at once in one tunnel. */
export const mostStreams = 256

/**
 * Bytes of one stream towards the runtime that may be under way unread. A reader that stops holds back its own stream at this point. With
 * 50 ms of round trip, this allows 40 MB/s.
 */
export const streamWindow = 2 * 1024 * 1024

/** The same towards the agent. Requests are small, and so is the agent. */
export const requestWindow = 256 * 1024

/** Bytes of all streams that may be under way in one tunnel. They are read at once, so a stopped stream holds back no other. */
export const tunnelWindow = 8 * 1024 * 1024

/** The largest WebSocket message. Larger ones are sent in pieces; a peer that sends one is cut off. */
export const largestMessage = 256 * 1024

/** The largest message before the tunnel is open. */
export const largestGreeting = 4 * 1024

/** How long signing in may take, from the connection to the welcome. */
export const greetingTime: Millis = 10_000

/** How often each end asks the other whether it is there. One question without an answer until the next ends the tunnel. */
export const beat: Millis = 10_000

/** The most `PING`, `SETTINGS` and `GOAWAY` frames of the other end in one beat. An honest end sends a few. */
export const mostControlFrames = 1_000

/**
 * How many streams the end that opens them may reset. Each connection that a caller closes is a reset, so the 1,000 at once and 33 per
 * second that Node allows would end a busy tunnel.
 */
export const resets = { burst: 10_000, perSecond: 1_000 } as const
