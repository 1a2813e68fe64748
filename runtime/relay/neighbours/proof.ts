import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { connectionOf, Wire } from '../link/index.ts'

const newest = 'tocsin-neighbour.3'

/**
 * The WebSocket subprotocols between processes, the newest first. The number rises with every change. A process speaks the one before, too: while
 * an installation is updated, its processes have two versions. 3 has the frames `leaving` and `spare`, which 2 does not know.
 */
export const neighbourProtocols: readonly string[] = [newest, 'tocsin-neighbour.2']

/** The wire to another process of the installation, once both have proved that they are. */
export interface NeighbourWire {
  readonly wire: Wire
  /** Whether the process that passes streams on may say that one should end. One of the version before does not know these frames. */
  readonly advised: boolean
}

/** Makes nonces: 32 random bytes as base64url. */
type Nonce = () => string

const challenge = /^challenge ([\w-]{43})$/
const answer = /^answer ([\w-]{43}) ([\w-]{43})$/
const welcome = /^welcome ([\w-]{43})$/

/** Returns the secret of the processes of an installation, from a text that only they know. */
export function secretOf(text: string): Buffer {
  return createHmac('sha256', 'tocsin neighbours').update(text).digest()
}

/**
 * What both ends prove. The address is in it, so that nobody who is dialed in place of the other process can pass its proof on: Redis may
 * name any address.
 */
interface Meeting {
  readonly secret: Buffer
  /** Where the process that is dialed says that it is: scheme, host and port. */
  readonly address: string
}

function proofOf({ secret, address }: Meeting, by: 'dialer' | 'host', nonces: readonly string[]): string {
  return createHmac('sha256', secret)
    .update([by, address, ...nonces].join('\n'))
    .digest('base64url')
}

function same(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** Resolves to the groups of the next message. Null: it is something else, or the socket was closed. */
function next(socket: WebSocket, pattern: RegExp): Promise<readonly string[] | null> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve(null))
    socket.once('message', (data: Buffer, isBinary: boolean) => {
      const found = isBinary || data.length > 200 ? null : pattern.exec(data.toString())
      resolve(found ? found.slice(1) : null)
    })
  })
}

/** Has a process that dialed prove that it knows the secret, and proves the same. Returns null if it does not. */
export async function welcomeNeighbour(socket: WebSocket, connection: Duplex, meeting: Meeting, nonce: Nonce): Promise<NeighbourWire | null> {
  const own = nonce()
  const reply = next(socket, answer)
  socket.send(`challenge ${own}`)
  const [theirs = '', proof = ''] = (await reply) ?? []
  if (!same(proof, proofOf(meeting, 'dialer', [own, theirs]))) return null
  socket.send(`welcome ${proofOf(meeting, 'host', [own, theirs])}`)
  return wireOver(socket, connection)
}

/** Proves to the process at the other end that this one knows the secret, and has it prove the same. @throws Error */
export async function greetNeighbour(socket: WebSocket, meeting: Meeting, nonce: Nonce): Promise<NeighbourWire> {
  const connection = connectionOf(socket)
  const [theirs = ''] = (await next(socket, challenge)) ?? []
  const own = nonce()
  const expected = proofOf(meeting, 'host', [theirs, own])
  return new Promise((resolve, reject) => {
    const refused = (): void => reject(new Error('the other process has another vault key, or is not the one that has this address'))
    socket.once('close', refused)
    socket.once('message', (data: Buffer) => {
      const [, proof = ''] = welcome.exec(data.toString()) ?? []
      // At once: the first bytes of the tunnel may be right behind.
      if (same(proof, expected)) resolve(wireOver(socket, connection()))
      else refused()
    })
    if (theirs === '') refused()
    else socket.send(`answer ${own} ${proofOf(meeting, 'dialer', [theirs, own])}`)
  })
}

function wireOver(socket: WebSocket, connection: Duplex): NeighbourWire {
  return { wire: new Wire(socket, connection), advised: socket.protocol === newest }
}
