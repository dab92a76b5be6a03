import { Refusal } from '../refusal'
import type { Boots } from './boots'

/** Allows one firmware update at a time; a reboot ends it. */
export class UpdateSlot {
  private readonly stopping = new AbortController()
  /** Whether the device was rebooted since the update in progress began. */
  private rebooted: (() => boolean) | undefined

  constructor(private readonly boots: Boots) {}

  /** @throws Refusal 400 while another update is in progress */
  take() {
    if (this.rebooted && !this.rebooted()) throw new Refusal(400, 'another update is in progress')
    const rebooted = (this.rebooted = this.boots.watch())
    return {
      /** Aborted when the device is stopped. */
      stopped: this.stopping.signal,
      rebooted,
      end: () => {
        if (this.rebooted === rebooted) this.rebooted = undefined
      },
    }
  }

  /** Called when the device is stopped. */
  stop(): void {
    this.stopping.abort()
  }
}
