import type { Shown } from './format.ts'

/** One array for all files. */
export function asJson({ findings }: Shown): string {
  return JSON.stringify(
    findings.map(({ code, severity, message, file, line, column, fix }) => ({ code, severity, message, file, line, column, ...(fix && { fix }) })),
    null,
    2,
  )
}
