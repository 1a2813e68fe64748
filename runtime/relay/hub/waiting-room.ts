import type { WebSocket } from 'ws'
import type { Clock, Millis } from '../../domain/index.ts'
import { greetingTime } from '../link/index.ts'

/** The most connections at once that have not signed in. They cost memory, and anybody can make them. */
const most = 64
/** The most of them from one client. */
const mostOfOne = 16
/** When the room is full, one that has said nothing for so long is ended. */
const patience: Millis = 1_000

interface Guest {
  readonly client: string
  readonly since: Millis
  /** `checked`: it has said something, and stays. `refused`: it only has to close its connection. */
  state: 'silent' | 'checked' | 'refused'
}

/** A guest, for whoever checks it. */
export interface Seat {
  /** It signed in. It no longer waits. */
  callIn(): void
  /** It was refused. It may close its connection, but keeps nobody out. */
  refuse(): void
}

/** The connections that have not signed in yet. One that stays silent makes way after a second, and one that was refused at once. */
export class WaitingRoom {
  readonly #clock: Pick<Clock, 'now' | 'after'>
  /** The one that came first is the first. */
  readonly #guests = new Map<WebSocket, Guest>()

  constructor(clock: Pick<Clock, 'now' | 'after'>) {
    this.#clock = clock
  }

  /** Returns whether there is a place for a connection from the client. Makes one if somebody has it who was refused, or is silent. */
  hasPlace(client: string): boolean {
    const own = [...this.#guests.values()].filter((guest) => guest.client === client)
    if (own.length >= mostOfOne) return this.#end((guest) => guest.client === client && guest.state === 'refused')
    if (this.#guests.size < most) return true
    const longSilent = ({ state, since }: Guest): boolean => state === 'silent' && this.#clock.now() - since >= patience
    return this.#end(({ state }) => state === 'refused') || this.#end(longSilent)
  }

  /** Lets a connection wait until it is closed, called in, or its time is over: then it is closed. */
  enter(socket: WebSocket, client: string): Seat {
    const guest: Guest = { client, since: this.#clock.now(), state: 'silent' }
    this.#guests.set(socket, guest)
    const cancel = this.#clock.after(greetingTime, () => socket.terminate())
    socket.once('message', () => {
      if (guest.state === 'silent') guest.state = 'checked'
    })
    const leave = (): void => {
      cancel()
      this.#guests.delete(socket)
    }
    socket.once('close', leave)
    return {
      callIn: leave,
      refuse: () => {
        guest.state = 'refused'
      },
    }
  }

  /** Closes all connections that wait. */
  clear(): void {
    for (const socket of this.#guests.keys()) socket.terminate()
  }

  /** Ends the connection of the first of these guests. Returns whether there was one. */
  #end(makesWay: (guest: Guest) => boolean): boolean {
    const found = [...this.#guests].find(([, guest]) => makesWay(guest))
    if (!found) return false
    this.#guests.delete(found[0])
    found[0].terminate()
    return true
  }
}
