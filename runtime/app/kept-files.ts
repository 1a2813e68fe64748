/** Files that every copy of the embedded store needs: without the vault key, nobody can decrypt its secrets. */
export const keptBesideTheStore = ['vault.key', 'admin.key']
