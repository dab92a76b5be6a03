/** A simulated module: its parameters, services and status, and its picture triggers. */
import type { Shape, Variant } from '../lib/contract'
import type { Hand } from './cell/cell'
import type { Clock } from './values'
import type { Scenario } from './scenario'

/** The types that this device uses; the interface has more. */
export type ParameterType = 'bool' | 'int32' | 'float64' | 'string'

/** Value of a parameter. */
export type ParameterValue = boolean | number | string

/** One parameter, as a line of data. */
export interface ParameterDefinition {
  name: string
  type: ParameterType
  default: ParameterValue
  /** `false` and `true` for a bool; absent for a string. */
  min?: number | boolean
  max?: number | boolean
  /** Allowed values of a string parameter; absent for free text. */
  choices?: readonly string[]
  unit?: string
  description: string
  /** License component required for writing it, or for writing the named value. */
  license?: { component: string; value?: ParameterValue }
}

type ParameterExtras = Pick<ParameterDefinition, 'license' | 'unit'>

export const bool = (
  name: string,
  byDefault: boolean,
  description: string,
  more: ParameterExtras = {},
): ParameterDefinition => ({
  name,
  type: 'bool',
  default: byDefault,
  min: false,
  max: true,
  description,
  ...more,
})

export const int32 = (
  name: string,
  byDefault: number,
  [min, max]: readonly [number, number],
  description: string,
  more: ParameterExtras = {},
): ParameterDefinition => ({ name, type: 'int32', default: byDefault, min, max, description, ...more })

export const float64 = (
  name: string,
  byDefault: number,
  [min, max]: readonly [number, number],
  description: string,
  more: ParameterExtras = {},
): ParameterDefinition => ({ name, type: 'float64', default: byDefault, min, max, description, ...more })

export const choice = (
  name: string,
  byDefault: string,
  choices: readonly string[],
  description: string,
  more: ParameterExtras = {},
): ParameterDefinition => ({ name, type: 'string', default: byDefault, choices, description, ...more })

export const text = (
  name: string,
  byDefault: string,
  description: string,
  more: ParameterExtras = {},
): ParameterDefinition => ({ name, type: 'string', default: byDefault, description, ...more })

/** Seconds of the device's clock. */
export interface PictureTrigger {
  of: 'camera' | 'depth'
  /** The pictures are taken: a robot may move. */
  taken: number
  ready: number
}

const most = 16 // more never wait: they are fetched as long as a client receives images

/** Shared by the image stream of a pipeline and the modules that take pictures. */
export class PictureTriggers {
  /** Clients of the image stream that wait for depth. */
  depthClients = 0
  /** Seconds. Set by the module that computes depth images. */
  depthPeriod: () => number = () => 1
  onTrigger: (() => void) | undefined
  private waiting: PictureTrigger[] = []

  add(trigger: PictureTrigger): void {
    this.waiting = [...this.waiting, trigger].slice(-most)
    this.onTrigger?.()
  }

  fetch(): PictureTrigger[] {
    const fetched = this.waiting
    this.waiting = []
    return fetched
  }
}

/** Per pipeline: for `ofPipeline`. */
export const pictureTriggers = (): PictureTriggers => new PictureTriggers()

export type LogLevel = 'DEBUG' | 'INFO' | 'WARN' | 'ERROR' | 'FATAL'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export interface Environment {
  variant: Variant
  clock: Clock
  /** The device's time, seconds since 1970, for time stamps. Setting it does not affect the clock. */
  now: () => number
  /** The module's own random numbers from 0 up to but not including 1; identical for the same seed. */
  random: () => number
  scenario: () => Readonly<Scenario>
  /** Writes an entry to the log of that name, under the module's node name. */
  log: (log: string, level: LogLevel, message: string) => void
  /** Present value of a parameter of a module in the same pipeline (including this one), by the module's bare name. */
  parameter: (module: string, name: string) => ParameterValue
  /** Inner state of a module in the same pipeline; undefined if there is no such module or it has no state. */
  state: (module: string) => string | undefined
  /** Another module in the same pipeline, for what the two have in common. */
  module: (module: string) => Module | undefined
  /** Calls a service of another module in the same pipeline, without arguments, as the device does internally. */
  call: (module: string, service: string) => Record<string, unknown> | undefined
  /** Whether the scenario makes a module in the same pipeline unresponsive. */
  stale: (module: string) => boolean
  /** A global module of the device, by its bare name. */
  global: (module: string) => Module | undefined
  /** Ids of the templates stored for the node with that bare name. */
  templates: (node: string) => readonly string[]
  /** What the modules of this pipeline share: created once, on the first call, with its own random numbers. */
  ofPipeline: <Thing>(make: (environment: Environment) => Thing) => Thing
  /** What the modules of all pipelines share, created in the same way. */
  ofDevice: <Thing>(make: (environment: DeviceEnvironment) => Thing) => Thing
  /** The robot arm in the same cell; undefined without one. */
  hand?: () => Hand | undefined
  /** Something that must survive a restart has changed. */
  changed: () => void
}

/** The same for the modules of all pipelines. */
export type DeviceEnvironment = Pick<
  Environment,
  'variant' | 'clock' | 'now' | 'random' | 'scenario' | 'templates' | 'hand' | 'changed'
>

export interface ServiceCall {
  args: Record<string, unknown>
  parameters: Readonly<Record<string, ParameterValue>>
}

/** A license component, or several of which any one is sufficient. */
export type License = string | readonly string[]

export interface ServiceDefinition {
  description: string
  /** Field names to type names, nested, as reported to clients. */
  args: Shape
  response: Shape
  /** Names of required arguments. @default none */
  required?: readonly string[]
  /** License required in addition to the module's own. */
  license?: License
  call: (call: ServiceCall) => Record<string, unknown>
}

/**
 * A simulated module of the device. Time passes only by the clock: later events are computed when their result is read,
 * so a module has no timers and nothing to close.
 */
export interface Module {
  /** Bare name without the device's prefix, `camera`. */
  name: string
  scope: 'global' | 'pipeline'
  /** Without it, parameter writes and services answer 403. */
  license?: License
  /** License components required only by some calls, depending on their arguments. */
  extensions?: readonly string[]
  /** Whether parameter writes are forbidden while a GenICam client is connected. */
  lockedByGenicam?: boolean
  parameters: readonly ParameterDefinition[]
  /** Without `reset_defaults`, which the device adds to every module with parameters. */
  services: Readonly<Record<string, ServiceDefinition>>
  /** Reported as the status value `state`; the node status does not depend on it. */
  state?: () => string
  /** For a module without a `state`: at rest means the node status `idle`. */
  atRest?: () => boolean
  /** Run-time values; the device reports them as strings, and only while the module runs. */
  values?: () => Record<string, string | number>
  /**
   * Called after a parameter write with all present and previous values, and the names in the write. May return further
   * values to set; it is not called again for those.
   */
  written?: (
    now: Readonly<Record<string, ParameterValue>>,
    before: Readonly<Record<string, ParameterValue>>,
    names: readonly string[],
  ) => Record<string, ParameterValue> | undefined
  /** Resets what `reset_defaults` resets besides the parameters. */
  reset?: () => void
  /** Called when a template of this module was deleted. */
  templateDeleted?: (id: string) => void
  picture?: () => string
  /** The true values behind its measurements, for tests and lessons; a device cannot know them. */
  truth?: () => object
  /** Shared with the image stream. */
  triggers?: PictureTriggers
  /** Survives a restart, besides the parameters. */
  save?: () => Json
  restore?: (saved: Json) => void
}

export type ModuleFactory = (environment: Environment) => Module

export const returnCode = (
  value: number,
  message = value === 0 ? 'success' : '',
): { return_code: object } => ({
  return_code: { value, message },
})

export const returnCodeShape = { return_code: { value: 'int16', message: 'string' } } as const

/** Something of a module that is saved and restored. */
interface Part {
  save: () => Json
  restore: (saved: Json | undefined) => void
}

/** Saves and restores the parts of a module, each under its name. */
export const partsOf = (
  parts: Readonly<Record<string, Part>>,
): Required<Pick<Module, 'save' | 'restore'>> => ({
  save: () => Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.save()])),
  restore: (saved) => {
    for (const [name, part] of Object.entries(parts))
      part.restore((saved as Record<string, Json | undefined>)[name])
  },
})
