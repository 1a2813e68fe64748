/** A part of a report. Its texts are foreign: a format must show them as they are. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'code'; readonly text: string }

export interface Report {
  /** Stands at the foot of each page: the id of the case. */
  readonly name: string
  readonly blocks: readonly Block[]
}
