import type { Reply } from '../simulators/faults.ts'

/** A playbook and the alert that starts it. */
export interface Charge {
  /** Everything below `alert_type`, as YAML. */
  readonly playbook: string
  /** The alert's content. Absent: `{}`. */
  readonly content?: unknown
  /** The target system's answers at `/answers/<name>`, by name. */
  readonly answers?: Readonly<Record<string, string | Reply>>
}
