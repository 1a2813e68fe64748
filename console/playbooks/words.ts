import type { PlaybookView } from '../../runtime/api/index.ts'

/** Where a version came from. */
export const sources: Readonly<Record<PlaybookView['source'], string>> = {
  folder: 'A folder',
  edited: 'A person',
  generated: 'Generated',
}

/** The same within a sentence. */
export const origins: typeof sources = {
  folder: 'from a folder',
  edited: 'from a person',
  generated: 'generated',
}

/** `1 call`, `2 calls` */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number === Number.MAX_SAFE_INTEGER ? 'unlimited' : number} ${number === 1 ? one : many}`
}
