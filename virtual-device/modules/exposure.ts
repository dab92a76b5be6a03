import type { ParameterValue } from '../parameter'

type Values = Readonly<Record<string, ParameterValue>>

/** Product of exposure time and gain factor, in seconds, that saturates the image at a light level of 1. */
const saturation = 0.011
const largestGain = 18

/** The sensor's exposure: `exp` in seconds, `gain` in dB, and the mean `brightness` from 0 to 1. */
export function exposureIn(
  light: number,
  parameters: Values,
): { exp: number; gain: number; brightness: number } {
  const { exp, gain } =
    parameters.exp_control === 'Manual'
      ? { exp: Number(parameters.exp_value), gain: Number(parameters.gain_value) }
      : automatic(light, parameters)
  return { exp, gain, brightness: Math.min(1, (exp * 10 ** (gain / 20) * light) / saturation) }
}

/** Uses the longest allowed exposure before it amplifies, because gain adds noise. */
function automatic(light: number, parameters: Values): { exp: number; gain: number } {
  const target = (Number(parameters.exp_auto_average_min) + Number(parameters.exp_auto_average_max)) / 2
  const needed = (target * saturation) / light
  const exp = Math.min(Math.max(needed, 6.6e-5), Number(parameters.exp_max))
  const gain = Math.min(Math.max(20 * Math.log10(needed / exp), 0), largestGain)
  return { exp, gain: Number.isFinite(gain) ? gain : 0 }
}
