/** The parts of package-lock.json that are read and written here: https://docs.npmjs.com/cli/configuring-npm/package-lock-json. */
interface LockedPackage {
  readonly version?: string
  readonly dev?: boolean
  readonly peer?: boolean
  readonly engines?: unknown
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

const systems: readonly string[] = ['android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors: readonly string[] = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

/**
 * Makes `npm install` and `npm ci` work, without warnings, with any npm on Node 20 or newer (decision 42).
 *
 * - It removes the Node version that each package requires. npm compares it with the Node that runs npm, but Tocsin runs on the Node of
 *   the package `node`.
 * - It adds packages for other systems that the local registry does not have. `npm ci` refuses a lock without them, although it would
 *   never install them.
 * @param text package-lock.json as npm wrote it
 */
export function tidyLock(text: string): string {
  const lock = JSON.parse(text) as Lock
  const entries = Object.entries(lock.packages).map(([path, entry]): [string, object] => {
    const { engines: _, ...rest } = entry
    return [path, path === '' ? entry : rest]
  })
  const all = [...entries, ...absentOptional(lock)].sort(([a], [b]) => a.localeCompare(b, 'en'))
  return `${JSON.stringify({ ...lock, packages: Object.fromEntries(all) }, null, 2)}\n`
}

/** Returns entries for optional packages that the lock names but has no entry for. */
function absentOptional({ packages }: Lock): [string, object][] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies, dev, peer }]) =>
    Object.entries(optionalDependencies ?? {})
      .filter(([name, version]) => !isLocked(packages, path, name, version))
      .map(([name, version]): [string, object] => {
        if (!oneVersion.test(version)) throw new Error(`package-lock.json lacks ${name}, and ${version} is not one version of it.`)
        return [placeOf(packages, path, name), { version, ...platformOf(name, { ...(dev && { dev }), ...(peer && { peer }) }) }]
      }),
  )
}

const oneVersion = /^\d+\.\d+\.\d+[\w.-]*$/

/**
 * Returns whether the lock has a package in a place where Node looks for it: inside the package that needs it, or in a folder above. The
 * first one that Node finds must be of the wanted version.
 */
function isLocked(packages: Lock['packages'], from: string, name: string, version: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('node_modules/') - 1, 0))) {
    const found = packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`]
    if (found) return !oneVersion.test(version) || found.version === version
    if (folder === '') return false
  }
}

/** Returns where npm puts a package: beside the one that needs it, or inside it if there is another version beside it. */
function placeOf(packages: Lock['packages'], from: string, name: string): string {
  const beside = `${from.slice(0, from.lastIndexOf('node_modules/'))}node_modules/${name}`
  return packages[beside] ? `${from}/node_modules/${name}` : beside
}

/** Reads the operating system, the processor and the C library from the name of a package with binaries. */
function platformOf(name: string, use: Pick<LockedPackage, 'dev' | 'peer'>): object {
  const words = name.split(/[/-]/)
  const os = words.filter((word) => systems.includes(word))
  const cpu = words.filter((word) => processors.includes(word))
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : words.some((word) => word.startsWith('gnu')) ? ['glibc'] : []
  if (os.length !== 1 || cpu.length !== 1) throw new Error(`package-lock.json lacks ${name}, and its name does not say which system it is for.`)
  // The fields are in the order in which npm writes them.
  return { cpu, ...(use.dev && { dev: true }), ...(libc.length > 0 && { libc }), optional: true, os, ...(use.peer && { peer: true }) }
}
