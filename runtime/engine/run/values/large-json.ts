import { hash } from 'node:crypto'
import { type Json, mostLevels } from '../../../domain/index.ts'
import { readJson, writeJson } from '../../../json/index.ts'
import type { EvaluationContext } from '../contexts.ts'

type LargeJsonContext = Pick<EvaluationContext, 'turns' | 'run'>

/** Writes a value as JSON. Large values are written in turns of the event loop. */
export function jsonOf({ turns, run }: LargeJsonContext, value: Json): string | Promise<string> {
  return writeJson(value, { turns, key: run.organization })
}

/** Limits for text that `jsonOf` has written. The value was within every limit then. */
const unlimited = { levels: mostLevels * 2, values: Number.MAX_SAFE_INTEGER, names: Number.MAX_SAFE_INTEGER }

/** Reads what `jsonOf` has written. Large texts are read in turns of the event loop. */
export function readBack({ turns, run }: LargeJsonContext, json: string): Json | Promise<Json> {
  return readJson(json, { limits: unlimited, turns, key: run.organization, piece: (text) => JSON.parse(text) as Json })
}

/** Returns the digest of a value that a step renders. The same value has the same digest in every execution of a run. */
export async function digestOf(execution: LargeJsonContext, value: Json): Promise<string> {
  return hash('sha256', await jsonOf(execution, value), 'base64url')
}
