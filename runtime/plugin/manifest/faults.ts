import { type ErrorPlace, TocsinError } from '../../errors/index.ts'

/** All faults in a plugin's files. */
export class Faults {
  readonly manifest: ErrorPlace[] = []
  readonly skills: ErrorPlace[] = []
  /**
   * Skills whose file could not be read as a skill. A reference to one of these is not reported as
   * a fault.
   */
  readonly broken: string[] = []

  /**
   * @throws TocsinError `manifest_invalid` if the manifest has a fault, else `skill_invalid` if a
   * skill has one. All places are in the error
   */
  refuse(plugin: string): void {
    const places = [...this.manifest, ...this.skills]
    const [first] = places
    if (!first) return
    const where = first.file === undefined ? first.field : `${first.file}:${first.line}:${first.column}`
    const others = places.length === 1 ? '' : ` (and ${places.length - 1} more)`
    throw new TocsinError(this.manifest.length > 0 ? 'manifest_invalid' : 'skill_invalid', `${plugin}: ${where}: ${first.message}${others}`, places)
  }
}
