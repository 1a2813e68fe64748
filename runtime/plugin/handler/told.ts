import { type Json, mostLevels, mostNames, mostValues, parseJson } from '../../domain/index.ts'
import { noTurns, type Turns } from '../../fairness/index.ts'
import { type JsonLimits, readJson } from '../../json/index.ts'

/** How to read a text from an isolate: in turns of the event loop, on behalf of an owner. */
export interface Listening {
  readonly turns: Turns
  readonly owner: string
}

/** Reads the whole text in one turn. */
export const hurried: Listening = { turns: noTurns, owner: '' }

const limits: JsonLimits = { levels: mostLevels, values: mostValues, names: mostNames }

/** Parses JSON from the code in an isolate, which may send anything. @throws JsonRefused */
export async function toldBy(text: string, { turns, owner }: Listening, piece: (text: string) => Json = parseJson): Promise<Json> {
  return readJson(text, { limits, turns, key: owner, piece })
}
