import { type Floor, floors, startFloor } from './floor.ts'
import type { Ground, Subject } from './subject.ts'
import { type Store, startTocsin, stores, workingTree } from './tocsin.ts'

/** Something to measure, which is started anew in each round. */
export interface Wanted {
  readonly name: string
  start(ground: Ground): Promise<Subject>
}

function isStore(name: string): name is Store {
  return (stores as readonly string[]).includes(name)
}

/** Returns the stores to measure: those of `--store`. If neither it nor a floor is given, each store that is at hand. @throws if a name is unknown */
export function storesIn(names: readonly string[], floors: readonly string[]): readonly Store[] {
  const services = process.env['MONGODB_URL'] && process.env['REDIS_URL']
  if (names.length === 0 && floors.length === 0) return services ? stores : ['embedded']
  return names.map((name) => {
    if (!isStore(name)) throw new Error(`--store ${name} is unknown. Use one of ${stores.join(', ')}.`)
    return name
  })
}

/** Reads `--floor`. @throws if a number is unknown */
export function floorsIn(numbers: readonly string[]): readonly Floor[] {
  return numbers.map((number) => {
    const floor = floors.find((known) => String(known) === number)
    if (!floor) throw new Error(`--floor ${number} is unknown. Use 1 (BullMQ and Redis), 2 (with MongoDB) or 3 (SQLite).`)
    return floor
  })
}

/** Reads a number of rounds, seconds or alerts. @throws if it is not a whole number from 1 */
export function countIn(option: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`--${option} ${text} is not a whole number from 1.`)
  return Number(text)
}

/** A floor, under the name that results have. */
export function wantedFloor(floor: Floor): Wanted {
  return { name: `floor ${floor}`, start: (ground) => startFloor(floor, ground) }
}

/** Tocsin, under the name that results have. @param checkout the sources to run; absent: these */
export function wantedStore(store: Store, name: string = store, checkout = workingTree): Wanted {
  return { name, start: (ground) => startTocsin(store, checkout, ground) }
}
