import type { RobotMode } from './arm-state'

/** Duration of switching on and of releasing the brakes, seconds. */
const switching = 1

/** Whether the arm is switched on and its brakes are released. */
export class Power {
  mode: RobotMode = 'RUNNING'
  #switches: { at: number; mode: RobotMode } | undefined

  /** Whether it is being switched on. */
  get isSwitching(): boolean {
    return this.#switches !== undefined
  }

  on(now: number): void {
    if (this.mode === 'POWER_OFF') this.#switchTo('BOOTING', 'IDLE', now)
  }

  releaseBrakes(now: number): void {
    if (this.mode === 'POWER_OFF' || this.mode === 'IDLE' || this.mode === 'BOOTING')
      this.#switchTo('POWER_ON', 'RUNNING', now)
  }

  off(): void {
    this.#switches = undefined
    this.mode = 'POWER_OFF'
  }

  advance(now: number): void {
    if (!this.#switches || now < this.#switches.at) return
    this.mode = this.#switches.mode
    this.#switches = undefined
  }

  #switchTo(first: RobotMode, then: RobotMode, now: number): void {
    this.mode = first
    this.#switches = { at: now + switching, mode: then }
  }
}
