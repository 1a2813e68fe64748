/** Returns a path with one more key, for messages. */
export function called(base: string, key: string): string {
  if (base === '') return key
  return /^[A-Za-z_]\w*$/.test(key) ? `${base}.${key}` : /^\d+$/.test(key) ? `${base}[${key}]` : `${base}["${key}"]`
}
