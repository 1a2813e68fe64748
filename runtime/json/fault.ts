import { parse as losslessParse } from 'lossless-json'

/** Longer texts are not read a second time only to find the place. */
const maxLocated = 65_536

/**
 * Returns where a text stops being JSON. Null: not known. The engine's parser names the place only sometimes.
 * If it does not, a second, slower parser is asked.
 */
export function faultOffset(text: string, error: unknown): number | null {
  const named = positionIn(error)
  if (named !== null || text.length > maxLocated) return named
  try {
    losslessParse(text)
    return null
  } catch (second) {
    return positionIn(second)
  }
}

function positionIn(error: unknown): number | null {
  const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined
  return position === undefined ? null : Number(position)
}
