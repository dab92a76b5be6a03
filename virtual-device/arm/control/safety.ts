import { safetyModes, type ArmMessage, type SafetyMode } from './arm-state'

/** Seconds until a protective stop can be unlocked. */
const untilUnlock = 5
/** Code of the message of a protective stop. */
const positionDeviates = 153

/** What has stopped the arm for safety, if anything has. It brakes nothing itself. */
export class Safety {
  mode: SafetyMode = 'NORMAL'
  #stoppedAt = -Infinity

  constructor(private readonly tell: (message: ArmMessage) => void) {}

  get isNormal(): boolean {
    return this.mode === 'NORMAL'
  }

  /** @param joint that is the reason, from 0 @returns whether the arm is stopped by it now */
  protectiveStop(joint: number, now: number): boolean {
    if (!this.isNormal) return false
    this.#stoppedAt = now
    this.tell({ kind: 'error', code: positionDeviates, argument: joint, level: 2, text: '' })
    this.#turn('PROTECTIVE_STOP')
    return true
  }

  /** @returns whether it can be unlocked already */
  unlock(now: number): boolean {
    if (this.mode !== 'PROTECTIVE_STOP') return true
    if (now - this.#stoppedAt < untilUnlock) return false
    this.#turn('NORMAL')
    return true
  }

  /** The button is pressed or released. @returns whether it was pressed just now */
  emergencyStop(pressed: boolean): boolean {
    if (pressed === (this.mode === 'ROBOT_EMERGENCY_STOP')) return false
    this.#turn(pressed ? 'ROBOT_EMERGENCY_STOP' : 'NORMAL')
    return pressed
  }

  #turn(mode: SafetyMode): void {
    this.mode = mode
    this.tell({ kind: 'safety', mode: safetyModes[mode] })
  }
}
