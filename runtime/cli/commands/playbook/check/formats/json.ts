import type { Shown } from './format.ts'

/** Writes one JSON array with the findings of all files. */
export function asJson({ findings }: Shown): string {
  return JSON.stringify(
    findings.map(({ code, severity, message, file, line, column, fix }) => ({ code, severity, message, file, line, column, ...(fix && { fix }) })),
    null,
    2,
  )
}
