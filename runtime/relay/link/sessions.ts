import { type ClientHttp2Session, connect, performServerHandshake, type ServerHttp2Session } from 'node:http2'
import type { Duplex } from 'node:stream'
import { mostStreams, requestWindow, resets, streamWindow, tunnelWindow } from './limits.ts'

/** What neither end accepts more of. An end that exceeds it loses the tunnel. */
const strict = {
  /** Megabytes of headers and frames that Node keeps for a session. */
  maxSessionMemory: 32,
  maxHeaderListPairs: 16,
  maxOutstandingPings: 4,
  maxSessionInvalidFrames: 10,
  maxSessionRejectedStreams: 100,
  maxSettings: 16,
} as const

const settings = { maxFrameSize: 64 * 1024, maxHeaderListSize: 4 * 1024 } as const

/** Begins the session of the end that opens streams. @param streams the most that it opens at once */
export function beginClientSession(stream: Duplex, streams: number): ClientHttp2Session {
  // The address is never resolved: all bytes go through the stream.
  const session = connect('http://agent.invalid', {
    ...strict,
    createConnection: () => stream,
    peerMaxConcurrentStreams: streams,
    settings: { ...settings, initialWindowSize: streamWindow, enablePush: false },
  })
  session.once('connect', () => session.setLocalWindowSize(tunnelWindow))
  return session
}

/** Begins the session of the end that accepts streams. @param streams the most at once */
export function beginServerSession(stream: Duplex, streams = mostStreams): ServerHttp2Session {
  const session = performServerHandshake(stream, {
    ...strict,
    streamResetBurst: resets.burst,
    streamResetRate: resets.perSecond,
    settings: { ...settings, initialWindowSize: requestWindow, maxConcurrentStreams: streams },
  })
  session.setLocalWindowSize(tunnelWindow)
  return session
}
