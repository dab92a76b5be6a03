import type { Pose } from '../../../lib/robotics'
import { startTimeout } from '../../../lib/timers/timers'
import { sentencesOf } from '../../sentences'

const { nodeError } = sentencesOf('hand-eye-calibration')

/** Waits until a robot that the flow moves has arrived. */
export class Arrival {
  #arrived: ((pose: Pose | undefined) => void) | undefined

  /**
   * @param go sends the robot there
   * @param within seconds
   * @returns where the robot says that it is; undefined if it only says that it has arrived
   * @throws TIMEOUT; the reason of the signal
   */
  async after(go: () => void, within: number, signal: AbortSignal): Promise<Pose | undefined> {
    signal.throwIfAborted()
    let timer: NodeJS.Timeout | undefined
    let aborted: (() => void) | undefined
    try {
      return await new Promise<Pose | undefined>((resolve, reject) => {
        this.#arrived = resolve
        aborted = () => reject(signal.reason as Error)
        signal.addEventListener('abort', aborted, { once: true })
        timer = startTimeout(
          () => reject(nodeError('TIMEOUT', 'drive-not-arrived', { seconds: within })),
          within * 1000,
        )
        go()
      })
    } finally {
      clearTimeout(timer)
      if (aborted) signal.removeEventListener('abort', aborted)
      this.#arrived = undefined
    }
  }

  /** @returns whether somebody waits for it */
  came(pose: Pose | undefined): boolean {
    const arrived = this.#arrived
    arrived?.(pose)
    return arrived !== undefined
  }
}
