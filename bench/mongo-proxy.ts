import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { BSON } from 'mongodb'

/** One command that Tocsin has sent to MongoDB. Times are milliseconds of `performance.now()`. */
export interface Operation {
  readonly command: string
  readonly collection: string
  /** Statements or documents that the command carries. 1 for a read. */
  readonly items: number
  readonly began: number
  /** When Tocsin got the answer. Null: not yet. */
  ended: number | null
}

/** Commands of the driver itself, which no caller waits for. They are neither listed nor delayed. */
const ofTheDriver: ReadonlySet<string> = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions', 'saslStart', 'saslContinue', 'buildInfo'])
const header = 16
/** The codes of the messages that have commands and answers. */
const opMessage = 2013

/**
 * Stands between Tocsin and MongoDB, lists the commands, and delays each answer. With a delay that is much
 * longer than Tocsin's own work, the times show which command waited for which.
 */
export class MongoProxy {
  readonly operations: Operation[] = []
  readonly #server = createServer((client) => this.#join(client))
  readonly #sockets = new Set<Socket>()
  readonly #target: { readonly host: string; readonly port: number }
  readonly #delay: number

  /**
   * @param target the MongoDB server, the primary of its replica set
   * @param delay of each answer, in milliseconds
   */
  constructor(target: { readonly host: string; readonly port: number }, delay: number) {
    this.#target = target
    this.#delay = delay
  }

  /** Returns the port on which it listens. */
  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return (this.#server.address() as AddressInfo).port
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #join(client: Socket): void {
    const server = connect(this.#target)
    const open = new Map<number, Operation>()
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      this.#sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
    inMessages(client, (message) => {
      const operation = operationIn(message)
      if (operation) {
        open.set(message.readInt32LE(4), operation)
        this.operations.push(operation)
      }
      server.write(message)
    })
    inMessages(server, (message) => {
      const operation = open.get(message.readInt32LE(8))
      open.delete(message.readInt32LE(8))
      if (!operation) return void client.write(message)
      // A connection has one command under way at a time, so the order stays.
      setTimeout(() => {
        operation.ended = performance.now()
        client.write(message)
      }, this.#delay)
    })
  }
}

/** Calls back for each whole message of the wire protocol. */
function inMessages(socket: Socket, each: (message: Buffer) => void): void {
  let rest = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= header && rest.length >= rest.readInt32LE(0)) {
      const size = rest.readInt32LE(0)
      each(rest.subarray(0, size))
      rest = rest.subarray(size)
    }
  })
}

/** Reads the command in a message. Null: it is none, or one of the driver's own. */
function operationIn(message: Buffer): Operation | null {
  if (message.readInt32LE(12) !== opMessage) return null
  let body: BSON.Document | null = null
  let listed = 0
  for (let at = header + 4; at < message.length; ) {
    const kind = message.readUInt8(at)
    const size = message.readInt32LE(at + 1)
    if (kind === 0) body = BSON.deserialize(message.subarray(at + 1, at + 1 + size))
    else listed += documentsIn(message.subarray(at + 5, at + 1 + size))
    at += 1 + size
  }
  const [command = '', collection] = Object.entries(body ?? {})[0] ?? []
  if (ofTheDriver.has(command)) return null
  const inBody = ['documents', 'updates', 'deletes'].map((field) => (body?.[field] as unknown[] | undefined)?.length ?? 0)
  const items = Math.max(1, listed, ...inBody)
  return { command, collection: String(collection), items, began: performance.now(), ended: null }
}

/** Counts the documents of a section that is a list. It begins with the list's name. */
function documentsIn(section: Buffer): number {
  let count = 0
  for (let at = section.indexOf(0) + 1; at < section.length; at += section.readInt32LE(at)) count += 1
  return count
}
