/** Returns a text without the byte order mark that a file may begin with. RFC 8259 allows readers of JSON to ignore it. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}
