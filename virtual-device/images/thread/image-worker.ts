import { parentPort } from 'node:worker_threads'
import { crash, untilCompiled } from '../../thread/ending'
import { ImageDesk, type FromImageThread, type ToImageThread, Viewfinder } from './image-desk'

const port = parentPort
if (!port) throw new Error('This file runs as a worker thread only.')
const send = (message: FromImageThread) => port.postMessage(message)

let desk: ImageDesk | undefined
const viewfinder = new Viewfinder()

port.on('message', (message: ToImageThread) => {
  switch (message.do) {
    case 'listen':
      listen(message).then(send, crash)
      return
    case 'state':
      desk?.setState(message.state)
      return
    case 'stage':
      desk?.show(message.pipeline, message.stage)
      return
    case 'take':
      desk?.take(message.order)
      send({ event: 'taken', pipeline: message.order.pipeline })
      return
    case 'subscribed':
      desk?.subscribed(message.upTo)
      return
    case 'event':
      desk?.event(message.pipeline, message.at, message.ofSet)
      return
    case 'glance':
      send({ event: 'glanced', id: message.id, picture: viewfinder.picture(message.order) })
      return
    case 'close':
      close().then(send, crash)
  }
})

async function close(): Promise<FromImageThread> {
  await desk?.close()
  await untilCompiled()
  return { event: 'closed' }
}

async function listen(wanted: ToImageThread & { do: 'listen' }): Promise<FromImageThread> {
  const made = new ImageDesk(
    wanted.pipelines,
    wanted.seed,
    (change) => send({ event: 'clients', ...change }),
    (error) => send({ event: 'failed', message: (error as Error).message }),
  )
  try {
    const first = await made.listen(wanted.host, wanted.port)
    desk = made
    return { event: 'listening', port: first }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    return { event: 'not-listening', code, message }
  }
}
