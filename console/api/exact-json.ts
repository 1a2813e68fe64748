/**
 * Parses JSON that is sent on, as the API does: a number that a double cannot hold becomes a text. A browser that does not tell how a number was
 * written changes it, as `JSON.parse` does. The preview of a call shows that.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, exact as (key: string, value: unknown) => unknown) as unknown
}

function exact(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value
  const held = Number.isSafeInteger(value) || (Number.isFinite(value) && !/^-?\d+$/.test(context.source))
  return held ? value : context.source
}
