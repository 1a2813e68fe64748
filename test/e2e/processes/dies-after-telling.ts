/** Preloaded into a worker: it dies when it has told that an end is stored, before it can show the end. */
import { Socket } from 'node:net'

Socket.prototype.write = new Proxy(Socket.prototype.write, {
  apply(write, socket: Socket, parameters: Parameters<Socket['write']>) {
    const [chunk] = parameters
    const written = write.apply(socket, parameters)
    // A write of a few bytes to this machine is done by now.
    if (Buffer.from(chunk as string).includes('\\"ahead\\":true')) process.kill(process.pid, 'SIGKILL')
    return written
  },
})
