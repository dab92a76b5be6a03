import type { Node, NodeAPI } from 'node-red'
import type { Connection } from '../device/connection'
import type { ImagePlace } from '../device/image-place'
import { loadClient } from '../device/load-client'
import { trouble } from '../device/trouble'
import type { Pictures, PictureRequest } from '../pictures/pictures'
import { deliver } from '../shared/deliver'
import { NodeAnswer } from '../shared/outcome'
import { retryForever } from '../shared/retry-forever'
import type { StatusLine } from '../shared/status-line'
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
  try {
    for await (const set of images) {
      const began = performance.now()
      meter.received(set.skipped)
      try {
        if (!pacing.takes(set)) {
          meter.leftOut()
          continue
        }
        const { properties, told } = await make(set)
        if (signal.aborted) break
        deliver(RED, (msg) => node.send(msg), {}, new NodeAnswer(properties, told), performance.now() - began)
        meter.sent(began)
        watching.sent(new Date())
        status.left(undefined)
      } catch (error) {
        if (signal.aborted) break
        failed(error)
      }
      await pacing.turn(began, signal)
    }
  } catch (error) {
    if (!signal.aborted) failed(error)
  } finally {
    signal.removeEventListener('abort', close)
    watching.close()
    await images.close()
  }
}
