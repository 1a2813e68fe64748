import { hash } from 'node:crypto'
import { type Json, mostLevels, type Run } from '../../../domain/index.ts'
import type { Turns } from '../../../fairness/index.ts'
import { readJson, writeJson } from '../../../json/index.ts'

interface LargeJsonContext {
  readonly turns: Turns
  /** Whose turns are used. */
  readonly run: Pick<Run, 'organization'>
}

/** Writes a value as JSON. Large values are written in turns of the event loop. */
export function jsonOf({ turns, run }: LargeJsonContext, value: Json): string | Promise<string> {
  return writeJson(value, { turns, key: run.organization })
}

/** Returns a rendered value as people read it: a list or object as JSON, null or nothing as an empty text. */
export async function textOf(execution: LargeJsonContext, value: Json | undefined): Promise<string> {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? jsonOf(execution, value) : String(value)
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
