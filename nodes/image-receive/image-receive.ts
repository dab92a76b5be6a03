/** The node *image receive*. In: start and stop. Out: sets of images as grey or colour pictures, depth, point clouds. */
import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red'
import type { VisionError } from '../../lib/client/vision-error'
import { changedPart, gridOf, type PictureGrid } from '../../lib/images/picture'
import type { ImageLink, ImageSet } from '../../lib/images/options'
import { RateMeter } from '../../lib/kernel/rate'
import { pauseFor, startInterval } from '../../lib/kernel/timers'
import type { Connection } from '../device/connection'
import { imagePlace, type ImagePlace } from '../device/device'
import { onInput } from '../device/on-input'
import { trouble } from '../device/on-deploy'
import { type PictureRequest, type Pictures, picturesOf } from '../pictures/pictures'
import { sentencesOf } from '../sentences'
import { checkedFields, numberOf } from '../shared/fields/checked-fields'
import { deliver, whenStarted } from '../shared/handle-input'
import { loadClient } from '../shared/load-later'
import { NoAnswer, NodeAnswer } from '../shared/outcome'
import { retryForever } from '../shared/retry-forever'
import { shown } from '../shared/shown'
import { type StatusLine, statusLineOf, timeOfDay } from '../shared/status'
import { type ImageReceiveFields, imageReceiveNode } from './fields'

const { invalidInput, summarize } = sentencesOf('image-receive')

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-image-receive', function (this: Node, config: NodeDef & ImageReceiveFields) {
    RED.nodes.createNode(this, config)
    const fields = checkedFields(RED, this, imageReceiveNode, config)
    if (!fields) return
    let reception: Reception | undefined
    const ownStarts = new WeakSet<NodeMessage>()

    onInput(RED, this, imageReceiveNode, fields, async ({ msg, device, read, name, text, signal }) => {
      const isOwn = ownStarts.has(msg)
      const starts = isOwn || isStart(msg.payload)
      const status = statusLineOf(RED, this)
      const pipeline = text('pipeline') || '0'
      const settings = starts && {
        pipeline,
        place: await imagePlace(device, pipeline),
        pictures: picturesOf(RED, this, fields),
        pacing: pacingOf(fields),
        period: fields.send === 'rate' ? 1 / numberOf(imageReceiveNode, fields, 'rate') : 0,
      }
      await reception?.end()
      reception = undefined
      // Closed while the previous one ended.
      if (signal.aborted) return new NoAnswer()
      if (!settings) {
        status.background('stopped')
        return new NodeAnswer({ payload: 'stopped' }, summarize('result-images-stopped'), 1)
      }
      reception = receive({ RED, node: this, device, values: { read, name }, status, ...settings })
      return isOwn
        ? new NoAnswer()
        : new NodeAnswer({ payload: 'started' }, summarize('result-images-started'), 1)
    })

    const cancel = whenStarted(RED, () => {
      if (fields.starts !== 'deploy') {
        statusLineOf(RED, this).background('stopped')
        return
      }
      const start: NodeMessage = {}
      ownStarts.add(start)
      this.receive(start)
    })
    this.on('close', (done: () => void) => {
      cancel()
      ;(reception?.end() ?? Promise.resolve()).then(() => done(), done)
    })
  })
}

/** @throws INVALID_INPUT for other values */
function isStart(payload: unknown): boolean {
  if (payload === 'start' || payload === true) return true
  if (payload === 'stop' || payload === false) return false
  if (payload === undefined) throw invalidInput('no-command')
  throw invalidInput('unknown-command', { given: shown(payload) })
}

interface Receiving {
  RED: NodeAPI
  node: Node
  device: Connection
  pipeline: string
  place: ImagePlace
  pictures: Pictures
  values: PictureRequest['values']
  pacing: Pacing
  /** Shortest time between sets, seconds. */
  period: number
  status: StatusLine
}

interface Reception {
  end: () => Promise<void>
}

function receive(receiving: Receiving): Reception {
  const closing = new AbortController()
  const work = run(receiving, closing.signal)
  return {
    end: () => {
      closing.abort()
      return work
    },
  }
}

/**
 * Keeps nothing in memory while waiting; `for await` would keep the previous item.
 * @returns undefined if the link has ended
 */
export async function useNext<Item, Result>(
  link: ImageLink<Item>,
  use: (item: Item) => Promise<Result>,
): Promise<Result | undefined> {
  const { done, value } = await link.next()
  return done ? undefined : use(value)
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
    signal,
    wanted: pictures.selection,
    newestOnly: pacing.newestOnly,
    // Reusable unless a whole set is sent: `make` computes or copies.
    reusesMemory: !pictures.isWhole,
    onState: (state) => {
      // Once the stream was open, the same reason is reported again.
      if (state.open) forget(undefined)
      watching.changed(state.open ? undefined : state.error)
    },
  })
  const send = async (set: ImageSet): Promise<{ taken: number; isSent: boolean } | undefined> => {
    const taken = performance.now()
    meter.received(set.skipped)
    try {
      if (!pacing.takes(set)) {
        meter.leftOut()
        return { taken, isSent: false }
      }
      const { properties, summary: summary } = await make(set)
      if (signal.aborted) return undefined
      deliver(
        RED,
        (msg) => node.send(msg),
        {},
        new NodeAnswer(properties, summary),
        performance.now() - taken,
      )
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
    watching.close()
    await images.close()
  }
}

/** Milliseconds between checks. */
const interval = 1000

/** Checks without a set until the status shows it; a suspended process has checked only once. */
const patience = 3
/** Checks with a lost link and a ready device until that is an error; the device itself may be gone. */
/** Looks with the link lost, and the device ready, until that is an error: the device itself may have gone. */
const lossPatience = 2

interface Watching {
  device: Connection
  meter: Meter
  status: Pick<StatusLine, 'background'>
  /** Shortest time between sets in seconds; the node takes no more. */
  period: number
  failed: (error: unknown) => void
}

interface Watch {
  /** Open, or lost for this reason. */
  changed: (error: VisionError | undefined) => void
  sent: (at: Date) => void
  close: () => void
}

function watch({ device, meter, status, period, failed }: Watching): Watch {
  const quiet = patience + Math.ceil((1000 * period) / interval)
  let lost: VisionError | undefined
  let isOpen = false
  let losses = 0
  let last: Date | undefined

  const show = (isSilent: boolean) => {
    const rates = meter.rates()
    if (!isOpen) status.background()
    else if (!last) status.background('awaitingImages')
    else if (isSilent || !rates) status.background('lastImage', 0, { after: timeOfDay(last) })
    else {
      const skipped = abbreviated(rates.skipped)
      const remark = { word: 'imagesSkipped', count: skipped } as const
      status.background('receiving', abbreviated(rates.sent), skipped > 0 ? { remark } : {})
    }
  }
  const check = () => {
    const silent = meter.look()
    if (!lost) show(silent >= quiet)
    else if (device.link.state !== 'ready') {
      losses = 0
      status.background()
    } else if (++losses >= lossPatience) failed(lost)
  }
  const timer = startInterval(check, interval)
  show(false)
  return {
    changed: (error) => {
      if (error) device.link.hint(error)
      lost = error
      losses = 0
      isOpen = !error
      if (isOpen) show(false)
    },
    sent: (at) => {
      const isFirst = !last
      last = at
      if (isFirst) show(false)
    },
    close: () => clearInterval(timer),
  }
}

/** More than two digits would change every second and flood the editor. */
const abbreviated = (rate: number) => Number(rate.toPrecision(2))

interface Pacing {
  /** Newer sets replace those that arrive while the node is busy; otherwise the device waits. */
  newestOnly: boolean
  /** @throws RangeError if the picture cannot be read */
  takes: (set: ImageSet) => boolean
  /**
   * Resolves when the next set may be taken, or on an abort.
   * @param taken the last one, by `performance.now`
   */
  turn: (taken: number, signal: AbortSignal) => Promise<void>
}

/** @throws INVALID_INPUT naming the field */
export function pacingOf(fields: ImageReceiveFields): Pacing {
  const always = { takes: () => true, turn: () => Promise.resolve() }
  if (fields.send === 'every') return { ...always, newestOnly: false }
  if (fields.send === 'newest') return { ...always, newestOnly: true }
  if (fields.send === 'change') {
    const takes = onChange(numberOf(imageReceiveNode, fields, 'change') / 100)
    return { ...always, newestOnly: true, takes }
  }
  const period = 1000 / numberOf(imageReceiveNode, fields, 'rate')
  const turn = async (taken: number, signal: AbortSignal) => {
    const rest = taken + period - performance.now()
    if (rest > 0) await pauseFor(rest, signal)
  }
  return { newestOnly: true, takes: () => true, turn }
}

/** Since the last set that was sent. */
function onChange(least: number): Pacing['takes'] {
  let last: PictureGrid | undefined
  return ({ left, right, disparity, confidence, error }) => {
    const image = left ?? right ?? disparity ?? confidence ?? error
    if (!image) return true
    const grid = gridOf(image)
    if (last && changedPart(last, grid) < least) return false
    last = grid
    return true
  }
}

/** In messages. */
const span = 10

/** Monotonic milliseconds. */
class Meter {
  #received = 0
  #silentLooks = 0
  readonly #sent = new RateMeter({ events: span })
  #skipped: number[] = []
  #skippedSince = 0

  /** @param skipped left out by the link before this set */
  received(skipped: number): void {
    this.#received++
    this.#skippedSince += skipped
  }

  leftOut(): void {
    this.#skippedSince++
  }

  sent(at: number): void {
    this.#sent.add(at)
    this.#skipped.push(this.#skippedSince)
    this.#skippedSince = 0
    if (this.#skipped.length > span) this.#skipped.shift()
  }

  /** Called regularly. @returns consecutive checks without a set */
  look(): number {
    this.#silentLooks = this.#received > 0 ? 0 : this.#silentLooks + 1
    this.#received = 0
    return this.#silentLooks
  }

  get hasSent(): boolean {
    return this.#sent.count > 0
  }

  /** Per second; undefined before the second message. */
  rates(): { sent: number; skipped: number } | undefined {
    const sent = this.#sent.rate()
    const [, ...skipped] = this.#skipped
    if (sent === 0) return undefined
    return { sent, skipped: (sent * skipped.reduce((sum, each) => sum + each, 0)) / skipped.length }
  }
}
