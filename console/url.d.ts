/** A file that the server serves unchanged: the address under which the browser finds it. */
declare module '*?url' {
  const address: string
  export default address
}
