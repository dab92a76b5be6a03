import type { Store } from './store'
import type { DeviceState } from './device-state'

/** What a restart finds again: writes the state where something of it has changed. */
export class Saving {
  private unsaved = false

  /** @param store missing where nothing is kept */
  constructor(
    private readonly store: Store | undefined,
    private readonly state: () => DeviceState,
  ) {}

  /** Something changed that a restart must find again. */
  changed(): void {
    this.unsaved = true
  }

  /** Ends when all changes are on the disk; undefined where there is nothing to wait for. */
  saved(): Promise<void> | undefined {
    if (!this.store || !this.unsaved) return undefined
    this.unsaved = false
    return this.store.save(this.state).catch((error: unknown) => {
      this.unsaved = true
      throw error
    })
  }
}
