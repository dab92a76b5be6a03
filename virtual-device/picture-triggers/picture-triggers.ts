/** A picture that was triggered. Seconds of the device's clock. */
export interface PictureTrigger {
  of: 'camera' | 'depth'
  /** When its pictures are taken, so that a robot may move. */
  taken: number
  /** When its result is there. */
  ready: number
}

/** More are never waiting: they are fetched as long as somebody receives images. */
const most = 16

/** What the image stream of a pipeline and the modules that take pictures know of each other. */
export class PictureTriggers {
  /** Clients of the image stream that wait for depth. */
  depthClients = 0
  /** Shortest time between two depth images, seconds. Set by the module that computes them. */
  depthPeriod: () => number = () => 1
  /** Called when a picture was triggered. */
  onTrigger: (() => void) | undefined
  private waiting: PictureTrigger[] = []

  add(trigger: PictureTrigger): void {
    this.waiting = [...this.waiting, trigger].slice(-most)
    this.onTrigger?.()
  }

  /** Those that were triggered since the last call. */
  fetch(): PictureTrigger[] {
    const fetched = this.waiting
    this.waiting = []
    return fetched
  }
}

/** Of a pipeline: for `ofPipeline`. */
export const pictureTriggers = (): PictureTriggers => new PictureTriggers()
