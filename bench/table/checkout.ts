import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

function git(...args: readonly string[]): string {
  return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

function commitOf(ref: string): string {
  try {
    // After the end of options, a ref cannot be taken for one.
    return git('rev-parse', '--short', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`)
  } catch (error) {
    throw new Error(`--compare ${ref}: git has no such commit here. Fetch it, or name a branch, a tag or a commit that is here.`, { cause: error })
  }
}

/** The sources of another commit. */
export interface Checkout {
  readonly folder: string
  /** The commit, shortened. */
  readonly commit: string
  remove(): void
}

/**
 * Checks a commit out into a temporary folder, with this folder's packages.
 * @param ref a branch, a tag or a commit
 * @throws if git does not know it
 */
export function checkOut(ref: string): Checkout {
  const commit = commitOf(ref)
  const above = mkdtempSync(join(tmpdir(), 'tocsin-compare-'))
  const folder = join(above, 'checkout')
  const remove = (): void => {
    rmSync(above, { recursive: true, force: true })
    git('worktree', 'prune')
  }
  try {
    git('worktree', 'add', '--quiet', '--detach', folder, commit)
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    return { folder, commit, remove }
  } catch (error) {
    remove()
    throw error
  }
}
