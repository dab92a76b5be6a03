import { six, type Six } from './six'

/** How a controller speaks: `e` is the newer generation with remote control and 500 Hz, `cb3` the older with 125 Hz. */
export type Generation = 'e' | 'cb3'

/** A six-axis arm: the maker's published nominal dimensions. Metres, radians, seconds. */
export interface ArmModel {
  /** As the dashboard server names it. */
  name: string
  generation: Generation
  /** Denavit-Hartenberg parameters that differ from zero. */
  d1: number
  a2: number
  a3: number
  d4: number
  d5: number
  d6: number
  /** Largest joint speeds, rad/s. */
  fastest: Six
}

const degree = Math.PI / 180
const evenly = (degrees: number): Six => six(() => degrees * degree)
const wristsFaster = (base: number, wrist: number): Six => six((joint) => (joint < 3 ? base : wrist) * degree)
const big: Six = six((joint) => (joint < 2 ? 120 : 180) * degree)

/** Joints turn a full turn to either side. */
export const jointLimit = 2 * Math.PI

export const armModels = {
  ur3e: {
    ...{ name: 'UR3', generation: 'e', d1: 0.15185, a2: -0.24355, a3: -0.2132, d4: 0.13105, d5: 0.08535 },
    ...{ d6: 0.0921, fastest: wristsFaster(180, 360) },
  },
  ur5e: {
    ...{ name: 'UR5', generation: 'e', d1: 0.1625, a2: -0.425, a3: -0.3922, d4: 0.1333, d5: 0.0997 },
    ...{ d6: 0.0996, fastest: evenly(180) },
  },
  ur10e: {
    ...{ name: 'UR10', generation: 'e', d1: 0.1807, a2: -0.6127, a3: -0.57155, d4: 0.17415, d5: 0.11985 },
    ...{ d6: 0.11655, fastest: big },
  },
  ur16e: {
    ...{ name: 'UR16', generation: 'e', d1: 0.1807, a2: -0.4784, a3: -0.36, d4: 0.17415, d5: 0.11985 },
    ...{ d6: 0.11655, fastest: big },
  },
  ur3: {
    ...{ name: 'UR3', generation: 'cb3', d1: 0.1519, a2: -0.24365, a3: -0.21325, d4: 0.11235, d5: 0.08535 },
    ...{ d6: 0.0819, fastest: wristsFaster(180, 360) },
  },
  ur5: {
    ...{ name: 'UR5', generation: 'cb3', d1: 0.089159, a2: -0.425, a3: -0.39225, d4: 0.10915, d5: 0.09465 },
    ...{ d6: 0.0823, fastest: evenly(180) },
  },
  ur10: {
    ...{ name: 'UR10', generation: 'cb3', d1: 0.1273, a2: -0.612, a3: -0.5723, d4: 0.163941, d5: 0.1157 },
    ...{ d6: 0.0922, fastest: big },
  },
} as const satisfies Readonly<Record<string, ArmModel>>

/** Names of the arms that can be simulated. */
export type ArmName = keyof typeof armModels
export const armNames = Object.keys(armModels) as ArmName[]
