/** Tells whether a media type is the JSON that Tocsin sends by itself. */
export function isPlainJson(type: string): boolean {
  return /^application\/json\b/i.test(type.trim())
}

/** Whether a media type is JSON: `application/json`, or one that ends with `+json`. */
export function isJson(type: string): boolean {
  return /^application\/(json|[^;]+\+json)\b/i.test(type.trim())
}
