import type { Store } from './store'
import type { DeviceState } from './device-state'

/** Saves the state for a restart whenever something in it has changed. */
export class Saving {
  private unsaved = false

  /** @param store missing if nothing is saved */
  constructor(
    private readonly store: Store | undefined,
    private readonly state: () => DeviceState,
  ) {}

  /** Called when something changed that must survive a restart. */
  changed(): void {
    this.unsaved = true
  }

  /** Resolves when all changes are on the disk; undefined if there is nothing to wait for. */
  saved(): Promise<void> | undefined {
    if (!this.store || !this.unsaved) return undefined
    this.unsaved = false
    return this.store.save(this.state).catch((error: unknown) => {
      this.unsaved = true
      throw error
    })
  }
}
