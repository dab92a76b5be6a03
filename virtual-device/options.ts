import type { Variant } from '../lib/contract'
import { systemClock, type Clock } from './clock'
import type { Scenario } from './scenario'
import { imageNaming } from './firmware/image-version'
import { StartError } from './start-error'

/** What a virtual device is started with; all of it may be left out. */
export interface VirtualDeviceOptions {
  /** 0 takes any free port. @default 8080 */
  port?: number
  /** Address to listen on. @default '127.0.0.1' */
  host?: string
  /** @default 'single' */
  variant?: Variant
  /** What the names of the nodes begin with. @default 'dev_' */
  nodePrefix?: string
  /** Folder in which the device keeps what a restart must find again. @default none, nothing is kept */
  state?: string
  /** Whole number from which all that looks measured is drawn. @default 1 */
  seed?: number
  /**
   * Serial number: letters, digits and `-`.
   * @default that of the state; without one drawn from the seed and the port, at port 0 from the seed alone
   */
  serial?: string
  /** First part of the host name, `<model>-<serial>`. @default 'vision-single' or 'vision-multi' */
  model?: string
  /**
   * Image version of the active firmware, `v1.2.3` or `<prefix>-v1.2.3-<suffix>`. The number is that of a device that
   * starts for the first time; all its images are named in this form.
   * @default 'v1.1.0'
   */
  imageVersion?: string
  /** Keys that differ from their defaults. */
  scenario?: Partial<Scenario>
  /** @default the time of this machine */
  clock?: Clock
  /**
   * Pipelines of a device that starts for the first time, name to kind of sensor.
   * @default two of kind stereo_a on the multi variant, one on the single variant
   */
  pipelines?: Readonly<Record<string, string>>
  /** Bytes; a longer body answers 413. Uploaded files have no limit. @default 1 MiB */
  maxBodyBytes?: number
  /** Seconds without a byte after which a request whose body is not complete answers 408. @default 30 */
  bodyTimeout?: number
}

export type ResolvedOptions = Required<Omit<VirtualDeviceOptions, 'state' | 'serial'>> & {
  state: string | undefined
  serial: string | undefined
}

/** Kinds of sensor that a pipeline can be configured for. */
export const sensorKinds = ['stereo_a', 'stereo_b', 'stereo_c', 'time_of_flight', 'structured_light'] as const

/** @throws StartError for a value that the device cannot start with */
export function resolvedOptions({
  port = 8080,
  host = '127.0.0.1',
  variant = 'single',
  nodePrefix = 'dev_',
  state,
  seed = 1,
  serial,
  model = `vision-${variant}`,
  imageVersion = 'v1.1.0',
  scenario = {},
  clock = systemClock,
  pipelines = variant === 'multi' ? { '0': 'stereo_a', '1': 'stereo_a' } : { '0': 'stereo_a' },
  maxBodyBytes = 1024 * 1024,
  bodyTimeout = 30,
}: VirtualDeviceOptions = {}): ResolvedOptions {
  const resolved = {
    port,
    host,
    variant,
    nodePrefix,
    state,
    seed,
    serial,
    model,
    imageVersion,
    scenario,
    clock,
    pipelines,
    maxBodyBytes,
    bodyTimeout,
  }
  const names = Object.keys(valid) as (keyof typeof valid)[]
  const wrong = names.find((name) => !valid[name](resolved))
  if (wrong !== undefined) throw new StartError('INVALID_OPTION', `option.${wrong}`)
  return resolved
}

const valid = {
  port: ({ port }) => Number.isInteger(port) && port >= 0 && port <= 65535,
  host: ({ host }) => host !== '',
  variant: ({ variant }) => ['single', 'multi'].includes(variant),
  nodePrefix: ({ nodePrefix }) => /^\w{0,40}$/.test(nodePrefix),
  state: ({ state }) => state !== '',
  seed: ({ seed }) => Number.isSafeInteger(seed),
  serial: ({ serial }) => serial === undefined || /^[A-Za-z\d-]{1,32}$/.test(serial),
  model: ({ model }) => /^[a-z][a-z\d-]{0,29}$/i.test(model),
  imageVersion: ({ imageVersion }) => imageNaming(imageVersion) !== undefined,
  pipelines: ({ variant, pipelines }) =>
    Object.hasOwn(pipelines, '0') &&
    Object.entries(pipelines).every(
      ([name, kind]) =>
        (variant === 'multi' ? /^[0-3]$/ : /^0$/).test(name) &&
        (sensorKinds as readonly string[]).includes(kind),
    ),
  maxBodyBytes: ({ maxBodyBytes }) => Number.isInteger(maxBodyBytes) && maxBodyBytes > 0,
  bodyTimeout: ({ bodyTimeout }) => bodyTimeout > 0 && bodyTimeout < 86_400,
} satisfies Partial<Record<keyof ResolvedOptions, (options: ResolvedOptions) => boolean>>
