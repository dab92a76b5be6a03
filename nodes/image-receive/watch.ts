import type { VisionError } from '../../lib/client/vision-error'
import { startInterval } from '../../lib/timers/timers'
import type { Connection } from '../device/connection'
import { type StatusLine, timeOfDay } from '../shared/status'
import type { Meter } from './meter'

/** Milliseconds between two looks. */
const interval = 1000
/** Looks without a set until the status says so; a process that was stopped has looked only once meanwhile. */
const patience = 3
/** Looks with the link lost, and the device ready, until that is an error: the device itself may have gone. */
const lossPatience = 2

interface Watching {
  device: Connection
  meter: Meter
  status: Pick<StatusLine, 'background'>
  /** Seconds between two sets, at least, because the node takes no more. */
  period: number
  /** Reports a lost stream. */
  failed: (error: unknown) => void
}

export interface Watch {
  /** The stream is open, or was lost for this reason. */
  changed: (error: VisionError | undefined) => void
  /** A message was sent. */
  sent: (at: Date) => void
  close: () => void
}

/** Shows how a stream of images arrives, by counting: rate, skipped sets, silence. */
export function watch({ device, meter, status, period, failed }: Watching): Watch {
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
      const skipped = inShort(rates.skipped)
      const remark = { word: 'imagesSkipped', count: skipped } as const
      status.background('receiving', inShort(rates.sent), skipped > 0 ? { remark } : {})
    }
  }
  const look = () => {
    const silent = meter.look()
    if (!lost) show(silent >= quiet)
    else if (device.link.state !== 'ready') {
      losses = 0
      status.background()
    } else if (++losses >= lossPatience) failed(lost)
  }
  const timer = startInterval(look, interval)
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

/** Two digits: more would change every second and flood the editor. */
const inShort = (rate: number) => Number(rate.toPrecision(2))
