/** The id of the device of the first user at the MFA provider. The next user has the next id. */
export const firstDevice = 70_001

/** Users of the MFA provider of Acme, besides those of the simulator's own story. */
export const acmePeople: readonly string[] = [
  'katherine.johnson',
  'dorothy.vaughan',
  'edsger.dijkstra',
  'barbara.liskov',
  'donald.knuth',
  'radia.perlman',
  'john.backus',
  'frances.allen',
  'niklaus.wirth',
  'margaret.hamilton',
  'tony.hoare',
  'annie.easley',
  'jean.sammet',
  'kathleen.booth',
].map((name) => `${name}@acme.example`)

export const harborPeople: readonly string[] = [
  'omar.haddad',
  'lucia.moretti',
  'sven.lindqvist',
  'amara.okafor',
  'chloe.dubois',
  'tomas.novak',
  'ines.carvalho',
  'hugo.petersen',
  'mei.tanaka',
  'victor.ionescu',
].map((name) => `${name}@harbor.example`)

/** Users whom only the special alerts of the week mention. No other alert changes them. */
export const acmeSpecial = {
  cancelled: 'mary.keller@acme.example',
  waiting: 'grete.hermann@acme.example',
  stolen: 'ida.rhodes@acme.example',
} as const
export const harborSpecial = { doubt: 'elias.berg@harbor.example' } as const
