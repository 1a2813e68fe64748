import { type Json, mostLevels, mostNames, mostValues, parseJson } from '../../domain/index.ts'
import { noTurns, type Turns } from '../../fairness/index.ts'
import { type JsonLimits, readJson } from '../../json/index.ts'

/** Who shares the event loop with others while it reads what an isolate said. */
export interface Listening {
  readonly turns: Turns
  readonly owner: string
}

/** Reads at once. */
export const hurried: Listening = { turns: noTurns, owner: '' }

const limits: JsonLimits = { levels: mostLevels, values: mostValues, names: mostNames }

/** What the code in an isolate told the host as JSON: it may have made anything of it. @throws JsonRefused */
export async function toldBy(text: string, { turns, owner }: Listening, piece: (text: string) => Json = parseJson): Promise<Json> {
  return readJson(text, { limits, turns, key: owner, piece })
}
