/**
 * Secrets. `vault.ts` encrypts them for the store and is the only place that decrypts them.
 * `reseal.ts` re-encrypts them with another key. `secrets.ts` gives a connection's credentials to its auth scheme. `webhook-signer.ts` signs
 * webhooks, and `evidence-signer.ts` what runs did.
 */
export { createEvidenceSigner, type EvidenceSigner } from './evidence-signer.ts'
export { resealSecrets } from './reseal.ts'
export { createVault, type Vault } from './vault.ts'
export { loadVaultKey, readOldVaultKey } from './vault-key.ts'
export { createWebhookSigner, type WebhookSigner } from './webhook-signer.ts'
