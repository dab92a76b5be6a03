import type { Shape, Variant } from '../lib/contract'
import type { Clock } from './clock'
import type { ParameterDefinition, ParameterValue } from './parameter'
import type { Scenario } from './scenario'

export type LogLevel = 'DEBUG' | 'INFO' | 'WARN' | 'ERROR' | 'FATAL'
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** What a simulated module finds around it. */
export interface Environment {
  variant: Variant
  /** What takes its time goes by it. */
  clock: Clock
  /** The device's time, seconds since 1970: for time stamps. It can be set, and the clock then stays as it is. */
  now: () => number
  /** The module's own numbers from 0 up to 1, the same for the same seed. */
  random: () => number
  scenario: () => Readonly<Scenario>
  /** Writes an entry into the log of that name, under the module's node name. */
  log: (log: string, level: LogLevel, message: string) => void
  /** Present value of a parameter of a module in the same pipeline, its own included, by the module's bare name. */
  parameter: (module: string, name: string) => ParameterValue
  /** Inner state of a module in the same pipeline; undefined where there is no such module or it has no state. */
  state: (module: string) => string | undefined
  /** Another module in the same pipeline, for what two modules have between themselves. */
  module: (module: string) => Module | undefined
  /** Calls a service of another module in the same pipeline, without arguments, as the device does inside itself. */
  call: (module: string, service: string) => Record<string, unknown> | undefined
  /** Whether the scenario lets a module in the same pipeline give no sign of life. */
  stale: (module: string) => boolean
  /** A module that exists once on the device, by its bare name. */
  global: (module: string) => Module | undefined
  /** Ids of the templates that are stored for the node of that bare name. */
  templates: (node: string) => readonly string[]
  /** What the modules of this pipeline have in common: made once, by the first that asks, with random numbers of its own. */
  ofPipeline: <Thing>(make: (environment: Environment) => Thing) => Thing
  /** What the modules of all pipelines have in common, made as above. */
  ofDevice: <Thing>(make: (environment: DeviceEnvironment) => Thing) => Thing
  /** Tells the device that something changed that a restart must find again. */
  changed: () => void
}

/** What is the same for the modules of all pipelines. */
export type DeviceEnvironment = Pick<
  Environment,
  'variant' | 'clock' | 'now' | 'random' | 'scenario' | 'templates' | 'changed'
>

/** What a service finds when it is called. The arguments have been checked against the shape of the service. */
export interface ServiceCall {
  args: Record<string, unknown>
  /** Present values of the module's own parameters. */
  parameters: Readonly<Record<string, ParameterValue>>
}

/** A license component, or several of which any one is enough. */
export type License = string | readonly string[]

export interface ServiceDefinition {
  description: string
  /** Field names to type names, nested, as the device tells its clients. */
  args: Shape
  response: Shape
  /** Names of arguments that must be there. @default none */
  required?: readonly string[]
  /** What a call needs beyond the module's own license. */
  license?: License
  call: (call: ServiceCall) => Record<string, unknown>
}

/**
 * A simulated module of the device. Time passes by the clock alone: what happens later is worked out when somebody
 * looks, so a module holds no timers and has nothing to close.
 */
export interface Module {
  /** Bare name without the device's prefix, `camera`. */
  name: string
  scope: 'global' | 'pipeline'
  /** Without it parameter writes and services answer 403. */
  license?: License
  /** License components that only some calls need, by their arguments. */
  extensions?: readonly string[]
  /** Parameter writes are forbidden while a GenICam client is connected. */
  lockedByGenicam?: boolean
  parameters: readonly ParameterDefinition[]
  /** Without `reset_defaults`: the device adds it to every module that has parameters. */
  services: Readonly<Record<string, ServiceDefinition>>
  /** Inner state of modules that report one as their status value `state`; the node status does not follow it. */
  state?: () => string
  /** Of a module that reports no `state`: whether it does nothing now, which is the node status `idle`. */
  atRest?: () => boolean
  /** Run-time values; the device reports them as strings, and only while the module runs. */
  values?: () => Record<string, string | number>
  /**
   * Called after parameters were written, with all values as they are now and as they were, and the names that the
   * write contained. May return further values to set; it is not called again for those.
   */
  written?: (
    now: Readonly<Record<string, ParameterValue>>,
    before: Readonly<Record<string, ParameterValue>>,
    names: readonly string[],
  ) => Record<string, ParameterValue> | undefined
  /** What `reset_defaults` resets besides the parameters. */
  reset?: () => void
  /** A template of this module was deleted. */
  templateDeleted?: (id: string) => void
  /** What its camera sees now, as an SVG picture. */
  picture?: () => string
  /** How things that it measures are in truth: for tests and lessons, a device cannot know it. */
  truth?: () => object
  /** What a restart must find again, besides the parameters. */
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
