import { Refusal } from '../refusal'
import type { Boots } from './boots'

/** Room for one firmware update at a time; a reboot ends it. */
export class UpdateSlot {
  private readonly stopping = new AbortController()
  /** Tells whether the device was rebooted since the update that is under way began. */
  private rebooted: (() => boolean) | undefined

  constructor(private readonly boots: Boots) {}

  /** @throws Refusal 400 while another update is under way */
  take() {
    if (this.rebooted && !this.rebooted()) throw new Refusal(400, 'another update is under way')
    const rebooted = (this.rebooted = this.boots.watch())
    return {
      /** When the device is stopped altogether. */
      stopped: this.stopping.signal,
      rebooted,
      end: () => {
        if (this.rebooted === rebooted) this.rebooted = undefined
      },
    }
  }

  /** The device is stopped altogether. */
  stop(): void {
    this.stopping.abort()
  }
}
