/** Folders of playbook files: what is in them now, and what has changed since. */
export { type Snapshot, takeSnapshot } from './snapshot.ts'
export { FolderWatch } from './watch.ts'
