import { EventEmitter, once } from 'node:events'
import { startRelay } from './relay'

/** Pulling it ends every connection at once. */
interface Cable {
  url: string
  /** The last part of a form has passed. */
  formSent: () => Promise<void>
  /** And plugs it in again. */
  pull: () => void
  remove: () => Promise<void>
}

export async function cableTo(url: string): Promise<Cable> {
  const ends = new EventEmitter()
  const relay = await startRelay(url, (near, reach) => {
    const far = reach()
    near.pipe(far).pipe(near)
    near.on('data', (chunk: Buffer) => {
      if (chunk.toString('latin1').endsWith('--\r\n')) setImmediate(() => ends.emit('form'))
    })
    // Sent data still arrives.
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
