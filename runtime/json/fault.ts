import { parse as losslessParse } from 'lossless-json'

/** Longer texts are not read a second time only to name the place. */
const maxLocated = 65_536

/** Where a text stops being JSON; null where nobody knows. The parser of the engine names the place only sometimes; then a second, slower one is asked. */
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
