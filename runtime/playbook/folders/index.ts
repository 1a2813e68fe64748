/** Reads folders of playbook files, and watches them for changes. */
export { type Snapshot, takeSnapshot } from './snapshot.ts'
export { FolderWatch } from './watch.ts'
