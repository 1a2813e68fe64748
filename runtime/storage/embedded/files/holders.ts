import { readFileSync } from 'node:fs'
import { stateAt } from './file-state.ts'

/** Returns the processes that hold locks on a file, as ` (process 4711)`. Empty if the system does not say. */
export function holdersOf(path: string): string {
  try {
    const file = stateAt(path)
    if (!file) return ''
    const [major, minor] = [(file.device >> 8) & 0xfff, (file.device & 0xff) | ((file.device >> 12) & 0xfff00)]
    const name = `${hex(major)}:${hex(minor)}:${file.inode}`
    // "3: POSIX  ADVISORY  READ 4711 fe:00:1835037 1073741826 1073742335"
    const rows = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .map((row) => row.trim().split(/\s+/))
      .filter((columns) => columns.includes(name))
    const processes = new Set(rows.map((columns) => columns[columns.indexOf(name) - 1]).filter((id) => id !== String(process.pid) && Number(id) > 0))
    if (processes.size === 0) return ''
    return ` (process ${[...processes].join(', ')})`
  } catch {
    return ''
  }
}

function hex(number: number): string {
  return number.toString(16).padStart(2, '0')
}
