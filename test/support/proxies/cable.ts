import { EventEmitter, once } from 'node:events'
import { startRelay } from './relay'

/** A cable to a server that can be pulled: every connection through it then ends at once. */
interface Cable {
  /** Address of this end. */
  url: string
  /** Resolves when the last part of a form has passed. */
  formSent: () => Promise<void>
  /** Pulls it, and plugs it in again at once. */
  pull: () => void
  remove: () => Promise<void>
}

/** @param url of the server at the other end */
export async function cableTo(url: string): Promise<Cable> {
  const ends = new EventEmitter()
  const relay = await startRelay(url, (near, reach) => {
    const far = reach()
    near.pipe(far).pipe(near)
    near.on('data', (chunk: Buffer) => {
      if (chunk.toString('latin1').endsWith('--\r\n')) setImmediate(() => ends.emit('form'))
    })
    // What was sent still arrives, even if the sender has gone.
    near.on('close', () => far.end())
    far.on('close', () => near.destroy())
  })
  return {
    url: relay.url,
    formSent: () => once(ends, 'form').then(() => undefined),
    pull: relay.reset,
    remove: relay.stop,
  }
}
