/** Returns how people name a run: `attempt 1`, or `undo 2 of attempt 1`. Its id says which of them it is. */
export function runName(id: string): string {
  const [, attempt, undo] = /-r(\d+)(?:-u(\d+))?$/.exec(id) ?? []
  if (attempt === undefined) return id
  return undo === undefined ? `attempt ${attempt}` : `undo ${undo} of attempt ${attempt}`
}
