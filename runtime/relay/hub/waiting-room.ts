import type { WebSocket } from 'ws'
import type { Clock, Millis } from '../../domain/index.ts'
import { greetingTime } from '../link/index.ts'

/** The most connections at once that have not signed in. They cost memory, and anybody can make them. */
const most = 64
/** The most of them from one client. */
const mostOfOne = 16
/** When the room is full, one that has said nothing for so long makes way. */
const patience: Millis = 1_000

interface Guest {
  readonly client: string
  readonly since: Millis
  /** Whether it has said anything. Then it is being checked, and stays. */
  answered: boolean
}

/** The connections that have not signed in yet. Those that stay silent do not keep others out. */
export class WaitingRoom {
  readonly #clock: Pick<Clock, 'now' | 'after'>
  /** The one that came first is the first. */
  readonly #guests = new Map<WebSocket, Guest>()

  constructor(clock: Pick<Clock, 'now' | 'after'>) {
    this.#clock = clock
  }

  /** Returns whether there is a place for a connection from the client. Makes one if somebody silent has it. */
  hasPlace(client: string): boolean {
    if ([...this.#guests.values()].filter((guest) => guest.client === client).length >= mostOfOne) return false
    if (this.#guests.size < most) return true
    const silent = [...this.#guests].find(([, { answered, since }]) => !answered && this.#clock.now() - since >= patience)
    if (!silent) return false
    this.#guests.delete(silent[0])
    silent[0].terminate()
    return true
  }

  /** Lets a connection wait until it is closed, called in, or its time is over: then it is closed. Returns how to call it in. */
  enter(socket: WebSocket, client: string): () => void {
    const guest: Guest = { client, since: this.#clock.now(), answered: false }
    this.#guests.set(socket, guest)
    const cancel = this.#clock.after(greetingTime, () => socket.terminate())
    socket.once('message', () => {
      guest.answered = true
    })
    const leave = (): void => {
      cancel()
      this.#guests.delete(socket)
    }
    socket.once('close', leave)
    return leave
  }

  /** Closes all connections that wait. */
  clear(): void {
    for (const socket of this.#guests.keys()) socket.terminate()
  }
}
