/**
 * A process that rehearses playbooks of tenants. It gets no environment and no secrets. Node's permission model lets it read only its own
 * code and the plugin folders, because tests may use their fixtures. It makes no calls. It asks the runtime to send the reads of a dry run.
 */
import { pluginFolders } from '../plugin/index.ts'
import { readFixtures } from '../rehearsal/index.ts'
import { serve } from '../subprocess/index.ts'
import type { RehearsalTask } from './protocol.ts'
import { rehearseTask } from './work.ts'

const fixtures = readFixtures(await pluginFolders(process.argv.slice(2)).catch(() => []))
serve((task, ask) => rehearseTask(task as RehearsalTask, fixtures, ask))
