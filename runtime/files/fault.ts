import { TocsinError } from '../errors/index.ts'

/** The meaning and remedy of error codes of the operating system. */
const causes: Readonly<Record<string, { readonly says: string; readonly remedy: string }>> = {
  EROFS: { says: 'the file system is read-only', remedy: 'Mount it writable, or name another folder with --data (TOCSIN_DATA).' },
  EACCES: {
    says: 'permission denied',
    remedy: 'Let the user that runs Tocsin read and write it (chown, chmod), or name another folder with --data.',
  },
  EPERM: { says: 'not permitted', remedy: 'Let the user that runs Tocsin read and write it (chown, chmod), or name another folder with --data.' },
  ENOSPC: { says: 'the disk is full', remedy: 'Free some disk space (df -h, df -i), or name a folder on another disk with --data.' },
  EDQUOT: { says: 'the disk quota is used up', remedy: 'Free some disk space or raise the quota, or name a folder on another disk with --data.' },
  ENOTDIR: { says: 'there is a file where a folder must be', remedy: 'Move that file away, or name another folder with --data.' },
  EEXIST: { says: 'there is a file where a folder must be', remedy: 'Move that file away, or name another folder with --data.' },
  EISDIR: { says: 'there is a folder where a file must be', remedy: 'Move that folder away, or name another folder with --data.' },
  ENOENT: { says: 'nothing can be made there', remedy: 'Name another folder with --data (TOCSIN_DATA).' },
  ELOOP: { says: 'its symbolic links lead in a circle', remedy: 'Repair the links, or name another folder with --data.' },
  ENAMETOOLONG: { says: 'the path is too long', remedy: 'Name a folder with a shorter path with --data.' },
  EMFILE: { says: 'too many files are open in this process', remedy: 'Raise the limit of open files (ulimit -n).' },
  ENFILE: { says: 'too many files are open on this machine', remedy: 'Raise the limit of open files (fs.file-max).' },
  EIO: { says: 'the disk reports an error', remedy: "Look at the machine's log (dmesg), and move the data folder to a disk that works." },
  ETXTBSY: { says: 'the file is in use', remedy: 'Stop the process that uses it.' },
}

const fullDisk: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])

/** Returns the operating system's code of an error, such as `EROFS`, or null if it has none. */
export function systemCode(error: unknown): string | null {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : null
}

/**
 * Makes an error that says why a file or folder cannot be used, with its path, the system's code and a remedy.
 * @param doing completes the sentence "… cannot": `be made`, `be written`
 */
export function fileFault(path: string, doing: string, error: unknown): TocsinError {
  const code = systemCode(error)
  const known = code === null ? undefined : causes[code]
  const says = known ? `${known.says} (${code})` : error instanceof Error ? error.message : String(error)
  const remedy = known?.remedy
  return new TocsinError(code !== null && fullDisk.has(code) ? 'disk_full' : 'folder_unusable', `${path} cannot ${doing}: ${says}.`, [], {
    cause: error,
    ...(remedy !== undefined && { remedy }),
  })
}
