import type { PoseFormat } from './pose-format'

/** What a maker writes behind a pose to say how the arm stands there: the same pose is reached in several ways. */
export interface ArmFlags {
  /** As the maker names them in an object. */
  properties: Readonly<Record<string, string | number | readonly number[]>>
  /** Puts them into the text of a pose, as the maker writes it. */
  into: (text: string) => string
}

type ReadFlags = (given: unknown) => ArmFlags | undefined

/**
 * The flags of a pose that a robot has taught or sent: KUKA's status and turn (S and T), FANUC's CONFIG, ABB's configuration
 * and external axes, Mitsubishi's structure flags. They are passed on as they are: nobody but the controller knows what they
 * mean at another pose.
 *
 * @param given an object with the maker's names, text as the controller writes it, or ABB's nested arrays
 * @returns undefined if the pose has none, or its format knows none
 */
export const flagsIn = ({ id }: Pick<PoseFormat, 'id'>, given: unknown): ArmFlags | undefined =>
  Object.hasOwn(readers, id) ? readers[id]?.(given) : undefined

const readers: Readonly<Record<string, ReadFlags>> = {
  kuka: (given) => {
    const [status, turn] = (['S', 'T'] as const).map((name) => wholeNumber(named(given, name)))
    if (status === undefined || turn === undefined) return undefined
    return {
      properties: { S: status, T: turn },
      into: (text) => text.replace(/\}$/, `, S ${String(status)}, T ${String(turn)}}`),
    }
  },
  fanuc: (given) => {
    const config = configIn(given)
    if (config === undefined) return undefined
    return { properties: { CONFIG: config }, into: (text) => `${text}, CONFIG '${config}'` }
  },
  abb: (given) => {
    const [, , configuration, external] = groupsIn(given)
    if (configuration?.length !== 4) return undefined
    const axes = external?.length === 6 ? external : unusedAxes
    return {
      properties: { robconf: configuration, extax: axes },
      into: (text) => `${text.slice(0, -1)},[${configuration.join(',')}],[${axes.map(axisText).join(',')}]]`,
    }
  },
  mitsubishi: (given) => {
    const flags = structureFlagsIn(given)
    if (!flags) return undefined
    const [first, second] = flags
    return {
      properties: { FL1: first, FL2: second },
      into: (text) => `${text}(${String(first)},${String(second)})`,
    }
  },
}

/** What RAPID has for an external axis that there is not. */
const unusedAxes = Array.from({ length: 6 }, () => 9e9)
const axisText = (value: number) => (value === 9e9 ? '9E9' : String(value))

/** The value of a name in an object, or behind it in a text: `S 2`, `S=2`. */
function named(given: unknown, name: 'S' | 'T'): unknown {
  if (typeof given === 'string') return (name === 'S' ? status : turn).exec(given)?.[1]
  return (Object(given) as Readonly<Record<string, unknown>>)[name]
}
const status = /\bS[\s=:]+(-?\d+)/
const turn = /\bT[\s=:]+(-?\d+)/

/** `N U T, 0, 0, 0`: how wrist, arm and base stand, and the turns of three joints. */
const config = /\b([NF][\s,]*[UD][\s,]*[TB](?:\s*,\s*-?\d+){0,3})/

function configIn(given: unknown): string | undefined {
  const { CONFIG = given } = Object(given) as { CONFIG?: unknown }
  const text = typeof CONFIG === 'string' ? config.exec(CONFIG)?.[1] : undefined
  return text
    ?.split(',')
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .join(', ')
}

const group = /\[([^[\]]*)\]/g

/** The inner lists of a robtarget: position, orientation, configuration, external axes. */
function groupsIn(given: unknown): (readonly number[])[] {
  const { robconf, extax } = Object(given) as { robconf?: unknown; extax?: unknown }
  const lists =
    typeof given === 'string'
      ? Array.from(given.matchAll(group), ([, inner = '']) => inner.split(',').map(Number))
      : Array.isArray(given)
        ? (given as unknown[])
        : [[], [], robconf, extax]
  return lists.map((list) =>
    Array.isArray(list) && list.every((value) => typeof value === 'number' && Number.isFinite(value))
      ? (list as number[])
      : [],
  )
}

const structureFlags = /\)\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)/

function structureFlagsIn(given: unknown): readonly [number, number] | undefined {
  const { FL1, FL2 } = Object(given) as { FL1?: unknown; FL2?: unknown }
  const [first, second] =
    typeof given === 'string' ? (structureFlags.exec(given)?.slice(1) ?? []) : [FL1, FL2]
  const flags = [wholeNumber(first), wholeNumber(second)] as const
  return flags[0] === undefined || flags[1] === undefined ? undefined : [flags[0], flags[1]]
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined
}
