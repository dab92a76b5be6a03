import type { Node, NodeAPI } from 'node-red'
import type { ImageSet } from '../../lib/images/types'
import { useNext } from '../../lib/images/use-next'
import type { Connection } from '../device/connection'
import type { ImagePlace } from '../device/image-place'
import { trouble } from '../device/trouble'
import type { Pictures, PictureRequest } from '../pictures/pictures'
import { deliver } from '../shared/handle-input'
import { loadClient } from '../shared/load-later'
import { NodeAnswer } from '../shared/outcome'
import { retryForever } from '../shared/retry-forever'
import type { StatusLine } from '../shared/status'
import { Meter } from './meter'
import type { Pacing } from './pacing'
import { watch } from './watch'

interface Receiving {
  RED: NodeAPI
  node: Node
  device: Connection
  pipeline: string
  place: ImagePlace
  pictures: Pictures
  values: PictureRequest['values']
  pacing: Pacing
  /** Seconds between two sets, at least. */
  period: number
  status: StatusLine
}

export interface Reception {
  /** Resolves when nothing is left of it. */
  end: () => Promise<void>
}

/** Receives images and sends what the settings select, until it is ended. Connects again for ever. */
export function receive(receiving: Receiving): Reception {
  const closing = new AbortController()
  const work = run(receiving, closing.signal)
  return {
    end: () => {
      closing.abort()
      return work
    },
  }
}

async function run(receiving: Receiving, signal: AbortSignal): Promise<void> {
  const { RED, node, device, pipeline, place, pictures, values, pacing, period, status } = receiving
  const shown = {
    show: (word: Parameters<StatusLine['background']>[0]) => status.background(word),
    showLink: () => status.background(),
  }
  const { failed, listed: forget } = trouble(node, device, shown)
  const make = await retryForever(signal, failed, () =>
    pictures.prepare({ values, device, pipeline, signal }),
  )
  if (!make) return

  const meter = new Meter()
  const watching = watch({ device, meter, status, period, failed })
  const images = loadClient().images.openImages({
    ...place,
    wanted: pictures.wanted,
    newestOnly: pacing.newestOnly,
    // Otherwise nothing of a set is sent on: what `make` returns is computed, or copied.
    reusesMemory: !pictures.isWhole,
    onState: (state) => {
      // The same reason is told again after the stream was there.
      if (state.open) forget(undefined)
      watching.changed(state.open ? undefined : state.error)
    },
  })
  const close = () => void images.close()
  signal.addEventListener('abort', close)
  /** Sends a set, if it is one to send. */
  const send = async (set: ImageSet): Promise<{ taken: number; isSent: boolean } | undefined> => {
    const taken = performance.now()
    meter.received(set.skipped)
    try {
      if (!pacing.takes(set)) {
        meter.leftOut()
        return { taken, isSent: false }
      }
      const { properties, told } = await make(set)
      if (signal.aborted) return undefined
      deliver(RED, (msg) => node.send(msg), {}, new NodeAnswer(properties, told), performance.now() - taken)
      meter.sent(taken)
      watching.sent(new Date())
      status.left(undefined)
    } catch (error) {
      if (signal.aborted) return undefined
      failed(error)
    }
    return { taken, isSent: true }
  }
  try {
    for (let last = await useNext(images, send); last; last = await useNext(images, send))
      if (last.isSent) await pacing.turn(last.taken, signal)
  } catch (error) {
    if (!signal.aborted) failed(error)
  } finally {
    signal.removeEventListener('abort', close)
    watching.close()
    await images.close()
  }
}
