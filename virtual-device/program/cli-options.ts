import { readFileSync } from 'node:fs'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { Variant } from '../../lib/contract'
import type { ArmName } from '../arm/kinematics/models'
import type { VirtualDeviceOptions } from '../options'
import type { Scenario } from '../scenario'
import { StartError } from '../start-error'

const options = {
  port: { type: 'string' },
  'image-port': { type: 'string' },
  'robot-port': { type: 'string' },
  arm: { type: 'string' },
  'arm-port': { type: 'string' },
  host: { type: 'string' },
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
export function programOptions(
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

/** The result of parseArgs if all options have the types in `Options`. */
type Values<Options> = {
  [Name in keyof Options]?: Options[Name] extends { type: 'boolean' } ? boolean : string
}

/** @throws StartError for an unknown option */
export function parsed<Options extends NonNullable<ParseArgsConfig['options']>>(
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

/** `auto` and `off` as they are. */
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
