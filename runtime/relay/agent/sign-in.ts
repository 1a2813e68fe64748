import type { KeyObject } from 'node:crypto'
import type { WebSocket } from 'ws'
import type { Clock, Millis } from '../../domain/index.ts'
import { connectionOf, greetingTime, parseGreeting, propose, type RefusalCode, Wire, writeSignIn } from '../link/index.ts'
import { insteadOfTunnel } from './dial.ts'

/** How long dialing and signing in may take together. A proxy or a platform that stays silent must not hold the agent for ever. */
const connectTime: Millis = 2 * greetingTime

/** Who this agent is. */
export interface Credentials {
  readonly privateKey: KeyObject
  /** The one-time token, for an agent that may not be enrolled yet. */
  readonly token: string | null
  readonly version: string
}

/** The platform does not let this agent in. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused'
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string) {
    super(message)
    this.code = code
  }
}

export interface SignedIn {
  /** The frames of the tunnel. */
  readonly wire: Wire
  /** The name that the platform knows the agent by. */
  readonly name: string
  /** The version of the runtime. */
  readonly version: string
}

/** As `signIn`, but gives up in time, and when the agent is told to stop. @throws SignInRefused, Error */
export async function signInInTime(
  socket: WebSocket,
  credentials: Credentials,
  clock: Pick<Clock, 'after'>,
  stopping: AbortSignal,
): Promise<SignedIn> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>()
  const giveUp = (why: string): void => {
    reject(new Error(why))
    socket.terminate()
  }
  const stop = (): void => giveUp('the agent stops')
  const cancel = clock.after(connectTime, () => giveUp('the platform, or a proxy on the way, did not answer in time'))
  stopping.addEventListener('abort', stop)
  try {
    return await Promise.race([signIn(socket, credentials), givenUp])
  } finally {
    cancel()
    stopping.removeEventListener('abort', stop)
  }
}

/**
 * Answers the platform's challenge on a new WebSocket: one, because each answer costs a signature and memory, and carries the token.
 * @throws SignInRefused, Error if the connection ends, or the other end does not keep to the order of messages
 */
export function signIn(socket: WebSocket, { privateKey, token, version }: Credentials): Promise<SignedIn> {
  return new Promise((resolve, reject) => {
    const connection = connectionOf(socket)
    let answered = false
    socket.on('error', reject)
    socket.once('unexpected-response', (_request, response) => {
      reject(new Error(insteadOfTunnel(response)))
      socket.terminate()
    })
    socket.once('close', (code) => reject(new Error(`the platform closed the connection (${code})`)))
    const onMessage = (data: Buffer, isBinary: boolean): void => {
      const greeting = isBinary ? null : parseGreeting(data)
      switch (greeting?.type) {
        case 'challenge':
          if (answered) break
          answered = true
          return socket.send(writeSignIn({ type: 'sign_in', version, ...propose(privateKey, greeting.nonce), token }))
        case 'welcome':
          if (!answered) break
          // At once: the first bytes of the tunnel may be right behind.
          socket.off('message', onMessage)
          return resolve({ wire: new Wire(socket, connection()), name: greeting.name, version: greeting.version })
        case 'refused':
          reject(new SignInRefused(greeting.code, greeting.message))
          break
      }
      // A promise that was rejected stays so.
      reject(new Error('the platform does not speak the protocol of agents'))
      // What it has sent already is not read any more.
      socket.off('message', onMessage)
      socket.terminate()
    }
    socket.on('message', onMessage)
  })
}
