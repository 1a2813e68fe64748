/**
 * Which seeds are played. `TOCSIN_SIM_SEED` names one. `TOCSIN_SIM_SEEDS` says how many, and
 * `TOCSIN_SIM_FROM` is the first of them.
 */
const one = process.env['TOCSIN_SIM_SEED']
// More seeds would take too long in CI. `npm run simulate` plays as many as you like.
const usualCount = 600

export const oneSeed: number | null = one ? Number(one) : null
export const firstSeed = Number(process.env['TOCSIN_SIM_FROM'] ?? 1)
export const seedCount = Number(process.env['TOCSIN_SIM_SEEDS'] ?? usualCount)
