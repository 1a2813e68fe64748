/** Files that every copy of the embedded store needs: without the vault keys, nobody can decrypt its secrets. */
export const keptBesideTheStore = ['vault.key', 'vault.key.old', 'admin.key']
