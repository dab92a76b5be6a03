#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { basePath, type Variant } from '../../lib/contract'
import { packageVersion } from '../../lib/files/package-version'
import type { ArmName } from '../arm/kinematics'
import { versionPattern, writeArtifact } from '../firmware/artifact'
import type { VirtualDeviceOptions } from '../options'
import type { Scenario } from '../scenario'
import { sentence, StartError } from '../start-error'
import { reportedPorts } from '../side-ports'
import { startVirtualDevice } from '../start'

const options = {
  port: { type: 'string' },
  'image-port': { type: 'string' },
  'robot-port': { type: 'string' },
  arm: { type: 'string' },
  'arm-port': { type: 'string' },
  host: { type: 'string' },
  discovery: { type: 'boolean' },
  variant: { type: 'string' },
  'node-prefix': { type: 'string' },
  state: { type: 'string' },
  seed: { type: 'string' },
  serial: { type: 'string' },
  model: { type: 'string' },
  'image-version': { type: 'string' },
  scenario: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const satisfies ParseArgsConfig['options']

/** @throws StartError for an unknown option or an invalid value */
function programOptions(
  args: readonly string[],
): VirtualDeviceOptions & { help?: boolean; version?: boolean } {
  const {
    help,
    version,
    port,
    seed,
    variant,
    scenario,
    'node-prefix': nodePrefix,
    'image-port': imagePort = 'auto',
    'robot-port': robotPort = 'auto',
    'arm-port': armPort = 'auto',
    arm,
    'image-version': imageVersion,
    ...rest
  } = parsed(args, options)
  return {
    ...rest,
    ...(help && { help }),
    ...(version && { version }),
    ...(port !== undefined && { port: number(port) }),
    imagePort: sidePort(imagePort),
    robotPort: sidePort(robotPort),
    ...(arm !== undefined && { arm: arm as ArmName }),
    armPort: sidePort(armPort),
    ...(seed !== undefined && { seed: number(seed) }),
    ...(variant !== undefined && { variant: variant as Variant }),
    ...(nodePrefix !== undefined && { nodePrefix }),
    ...(imageVersion !== undefined && { imageVersion }),
    ...(scenario !== undefined && { scenario: scenarioFrom(scenario) }),
  }
}

/** Of parseArgs if all options have the types in `Options`. */
type Values<Options> = {
  [Name in keyof Options]?: Options[Name] extends { type: 'boolean' } ? boolean : string
}

function parsed<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  known: Options,
): Values<Options> {
  try {
    return parseArgs({ args: [...args], options: known, strict: true }).values
  } catch (error) {
    // The parser adds advice on positional arguments, which do not exist here.
    const [reason = ''] = (error as Error).message.split(/(?<=\.) |\n/)
    throw new StartError('INVALID_OPTION', 'option.unknown', { reason: reason.replace(/\.?$/, '.') }, error)
  }
}

const number = (text: string) => (/^-?\d+$/.test(text) ? Number(text) : NaN)

const sidePort = (text: string) => (text === 'auto' || text === 'off' ? text : number(text))

/** JSON, or the name of a JSON file. */
function scenarioFrom(given: string): Partial<Scenario> {
  try {
    return JSON.parse(
      given.trimStart().startsWith('{') ? given : readFileSync(given, 'utf8'),
    ) as Partial<Scenario>
  } catch (error) {
    throw new StartError('INVALID_OPTION', 'option.scenarioJson', { reason: (error as Error).message }, error)
  }
}

const artifactOptions = {
  version: { type: 'string' },
  size: { type: 'string' },
  out: { type: 'string' },
} as const

const units: Readonly<Record<string, number>> = { '': 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }

/** `virtual-vision-device artifact`: writes a firmware artifact for uploading. @returns a sentence for the user */
async function makeArtifact(args: readonly string[]): Promise<string> {
  const { version = '', size = '1MiB', out = '' } = parsed(args, artifactOptions)
  const bytes = bytesOf(size)
  if (!versionPattern.test(version)) throw new StartError('INVALID_OPTION', 'artifact.version')
  if (bytes === undefined) throw new StartError('INVALID_OPTION', 'artifact.size')
  if (out === '') throw new StartError('INVALID_OPTION', 'artifact.out')
  try {
    await writeArtifact(out, { version, size: bytes })
  } catch (error) {
    throw new StartError(
      'INVALID_OPTION',
      'artifact.notWritten',
      { out, reason: (error as Error).message },
      error,
    )
  }
  return sentence('artifact.written', { out, version, size })
}

/** `64MiB`, `1000` */
function bytesOf(size: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,12})([KMG]iB)?$/.exec(size) ?? []
  return digits === '' ? undefined : Number(digits) * (units[unit] ?? 1)
}

run(process.argv.slice(2)).catch(failed)

function failed(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error)
  console.error(error instanceof StartError ? reason : sentence('program.failed', { reason }))
  process.exit(error instanceof StartError ? 2 : 1)
}

async function run(args: readonly string[]): Promise<void> {
  if (args[0] === 'artifact') {
    console.log(await makeArtifact(args.slice(1)))
    return
  }
  const { help, version, ...options } = programOptions(args)
  if (help || version) {
    console.log(help ? sentence('program.help') : packageVersion())
    return
  }

  const device = await startVirtualDevice(options)
  const stop = () => {
    device.stop().then(() => process.exit(0), failed)
  }
  process.once('SIGTERM', stop).once('SIGINT', stop)
  console.log(
    sentence('program.ready', {
      url: `${device.url}${basePath}`,
      variant: device.variant,
      ports: reportedPorts(device.ports),
      page: device.page === undefined ? '' : sentence('program.page', { page: device.page }),
    }),
  )
}
