import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/index.ts'
import { createVault, loadVaultKey, readOldVaultKey, resealSecrets, type Vault } from '../connection/index.ts'
import { systemScope } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import { parseVaultKey } from '../formats/index.ts'
import type { Store } from '../storage/index.ts'
import type { Logger } from '../telemetry/index.ts'

/** The setting with the id of the store's vault key. While secrets are re-encrypted, the ids of the earlier keys follow, after blanks. */
const setting = 'vault_key'

type Keys = Pick<Config, 'vaultKey' | 'vaultKeyOld' | 'data'>

/**
 * Opens the vault with the key of this store. If earlier keys are given too, re-encrypts what was encrypted with them (decision 123).
 * @throws TocsinError `config_invalid`, `vault_key_wrong`
 */
export async function openVault(config: Keys, store: Store, logger: Logger): Promise<Vault> {
  const { vaultKey, data } = config
  const file = join(data, 'vault.key')
  const madeNow = vaultKey === null && !existsSync(file)
  const vault = createVault(vaultKey === null ? loadVaultKey(data) : parseVaultKey(vaultKey, 'TOCSIN_VAULT_KEY'), earlierKeys(config))
  try {
    const ids = await beginWith(vault, store, madeNow ? `${file} is missing` : `this process has ${vault.keyIds.join(', ')}`)
    if (vault.keyIds.length > 1) await rotate(vault, store, ids, logger)
  } catch (error) {
    // The store's key file was lost, and this start wrote a new one. Remove the new one, so that the right one can be restored from a backup.
    if (madeNow && error instanceof TocsinError && error.code === 'vault_key_wrong') rmSync(file, { force: true })
    throw error
  }
  return vault
}

function earlierKeys({ vaultKeyOld, data }: Keys): readonly Uint8Array[] {
  const inFolder = vaultKeyOld.length === 0 ? readOldVaultKey(data) : null
  if (inFolder) return [inFolder]
  return vaultKeyOld.map((key) => parseVaultKey(key, 'TOCSIN_VAULT_KEY_OLD'))
}

/**
 * Records in the store that this is its key. From then on, no process starts that has only an earlier one.
 * @param having what this process has, for the error
 * @returns the setting: the id of the key, and of the earlier keys that secrets may still be encrypted with
 */
async function beginWith({ keyId, keyIds }: Vault, store: Store, having: string): Promise<string> {
  for (;;) {
    const standing = await store.settings.settle(systemScope, setting, keyId)
    const ids = standing.split(' ')
    const unknown = ids.filter((id) => !keyIds.includes(id))
    if (unknown.length > 0)
      throw new TocsinError(
        'vault_key_wrong',
        ids[0] === keyId
          ? `Some secrets may still be encrypted with the vault key ${unknown.join(', ')}; this process has only ${keyIds.join(', ')}.`
          : `The store has the vault key ${standing}; ${having}.`,
      )
    if (ids[0] === keyId) return standing
    const next = [keyId, ...ids.filter((id) => id !== keyId)].join(' ')
    // If another process was faster, look again.
    if (await store.settings.replace(systemScope, setting, standing, next)) return next
  }
}

/** Re-encrypts what was encrypted with an earlier key. A start that dies meanwhile leaves the rest to the next one. */
async function rotate(vault: Vault, store: Store, ids: string, logger: Logger): Promise<void> {
  const { resealed, unreadable } = await resealSecrets(store, vault)
  for (const one of unreadable) logger.warn(one, 'a secret cannot be decrypted with any vault key; save it again')
  await store.settings.replace(systemScope, setting, ids, vault.keyId)
  logger.info(
    { key: vault.keyId, re_encrypted: resealed },
    `every ${unreadable.length === 0 ? '' : 'other '}secret is encrypted with the vault key; only earlier backups need the earlier keys`,
  )
}
