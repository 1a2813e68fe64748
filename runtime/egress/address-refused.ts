/** The policy refused an address. Nothing was sent. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}
