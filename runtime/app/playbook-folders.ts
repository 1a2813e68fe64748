import type { Logger } from 'pino'
import type { TocsinError } from '../errors/index.ts'
import { messageOf } from '../errors/index.ts'
import {
  FolderWatch,
  type Imported,
  importPlaybooks,
  type LookingNeeds,
  type PlaybookLibrary,
  type Snapshot,
  takeSnapshot,
} from '../playbook/index.ts'
import type { Store } from '../storage/index.ts'

/** Returns the fields of a failure that are logged. */
export function explain({ code, message, places }: TocsinError): { code: string; problem: string; places: readonly unknown[] } {
  return { code, problem: message, places }
}

export interface PlaybookFolders {
  readonly store: Store
  readonly looking: LookingNeeds
  readonly logger: Logger
  readonly folders: readonly string[]
}

interface ImportedFolders {
  /** Their content when they were imported. */
  readonly snapshot: Snapshot
  /** Whether nothing was logged that an operator must see. */
  readonly silent: boolean
}

/** Imports the folders and logs the result for each file. @throws TocsinError `file_unreadable` for a folder */
export async function importPlaybookFolders({ store, looking, logger, folders }: PlaybookFolders): Promise<ImportedFolders> {
  const snapshot = await takeSnapshot(folders)
  const results = await importPlaybooks(store, looking, folders)
  for (const result of results) tell(logger, result, 'debug')
  return { snapshot, silent: results.every(isSilent) }
}

function isSilent(result: Imported): boolean {
  return result.outcome !== 'refused' && result.outcome !== 'kept_edit' && result.overPolicy.length === 0
}

/**
 * Imports changes of the folders while the process runs. A broken file replaces nothing. If a file is removed, its playbook stays active.
 * @param imported the content of the folders when they were imported
 */
export function watchPlaybookFolders(parts: PlaybookFolders, library: PlaybookLibrary, imported: Snapshot): FolderWatch {
  const { store, looking, logger, folders } = parts
  const { plugins, clock } = looking
  let told = ''
  const watch = new FolderWatch({
    folders,
    clock,
    async take({ changed, gone }) {
      told = ''
      plugins.forget()
      const results = await importPlaybooks(store, looking, folders)
      library.forget()
      for (const result of results) if (changed.has(result.file)) tell(logger, result, 'info')
      for (const file of gone) logger.warn({ file }, 'a playbook file is gone; its playbook stays active (withdraw it with tocsin playbook withdraw)')
    },
    failed(error) {
      // Log an error once, not every few seconds.
      if (messageOf(error) !== told) logger.warn({ error: messageOf(error) }, 'could not import changes of the playbook folders')
      told = messageOf(error)
    },
  })
  watch.start(imported)
  return watch
}

function tell(logger: Logger, result: Imported, level: 'debug' | 'info'): void {
  if (result.outcome === 'refused')
    logger.error({ file: result.file, ...explain(result.error) }, 'could not import a playbook; the active version stays in use')
  else if (result.outcome === 'kept_edit') logger.warn(result, 'this playbook was edited in the store, so the folder does not replace it')
  else {
    logger[level](result, 'imported a playbook')
    if (result.overPolicy.length > 0)
      logger.warn(
        { file: result.file, organizations: result.overPolicy },
        'a run of this playbook may change more than the policy of these organizations allows; such a run fails at the limit',
      )
  }
}
