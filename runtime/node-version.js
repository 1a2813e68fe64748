// JavaScript, because an older Node cannot load our TypeScript. It loads nothing else, so that nothing fails before this is said.
const needed = 24

/**
 * Returns what to tell whoever starts Tocsin with this version of Node (`20.20.2`). Null: it is new enough.
 * @param {string} version
 * @returns {string | null}
 */
export function complaintAbout(version) {
  if (Number(version.split('.')[0]) >= needed) return null
  const way = 'npm has installed the right one: use `npm start`, or `npm run tocsin -- <command>`.'
  return `Tocsin needs Node ${needed} or newer, but it was started with Node ${version}. ${way}`
}
