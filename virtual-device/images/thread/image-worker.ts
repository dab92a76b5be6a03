import { parentPort } from 'node:worker_threads'
import { untilCompiled } from '../../thread/until-compiled'
import { ImageDesk, type FromImageThread, type ToImageThread, Viewfinder } from './image-desk'

const port = parentPort
if (!port) throw new Error('This file runs as a worker thread only.')
const tell = (message: FromImageThread) => port.postMessage(message)

let desk: ImageDesk | undefined
const viewfinder = new Viewfinder()

port.on('message', (message: ToImageThread) => {
  switch (message.do) {
    case 'listen':
      void listen(message)
      return
    case 'state':
      desk?.setState(message.state)
      return
    case 'stage':
      desk?.show(message.pipeline, message.stage)
      return
    case 'take':
      desk?.take(message.order)
      tell({ told: 'taken', pipeline: message.order.pipeline })
      return
    case 'subscribed':
      desk?.subscribed(message.upTo)
      return
    case 'event':
      desk?.event(message.pipeline, message.at, message.ofSet)
      return
    case 'glance':
      tell({ told: 'glanced', id: message.id, picture: viewfinder.picture(message.order) })
      return
    case 'close':
      void close()
  }
})

async function close(): Promise<void> {
  await desk?.close()
  await untilCompiled()
  tell({ told: 'closed' })
}

async function listen(wanted: ToImageThread & { do: 'listen' }): Promise<void> {
  const made = new ImageDesk(wanted.pipelines, wanted.seed, (change) => tell({ told: 'clients', ...change }))
  try {
    const first = await made.listen(wanted.host, wanted.port)
    desk = made
    tell({ told: 'listening', port: first })
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    tell({ told: 'not-listening', code, message })
  }
}
