/** A text as a YAML scalar that reads back as exactly it: single quotes where they can hold it, else double quotes. */
export function scalar(text: string): string {
  // Anything but printable ASCII: double quotes, as JSON writes them, which YAML reads the same.
  if (!/^[\x20-\x7e]*$/.test(text))
    return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `'${text.replaceAll("'", "''")}'`
}

/** A text as part of one comment line. */
export function comment(text: string): string {
  return text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, 120)
}

/** A text inside a template, as itself. */
export function literal(text: string): string {
  return text.replace(/[{}%]/g, '')
}
