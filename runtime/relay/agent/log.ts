/** Writes one line. The agent logs where it connects, and nothing that it carries. */
export type Log = (message: string, fields?: Readonly<Record<string, string | number>>) => void

/** Returns a log of JSON lines, each with its time. */
export function jsonLog(write: (line: string) => void, now: () => number): Log {
  return (message, fields = {}) => write(`${JSON.stringify({ time: new Date(now()).toISOString(), msg: message, ...fields })}\n`)
}
