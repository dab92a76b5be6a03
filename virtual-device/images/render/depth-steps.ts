/** Number of the farthest step; 0 is a pixel without a measurement. */
const farthest = 255
/** Share of the pixels that may lie outside the steps on either side, so that single wrong ones do not take them all. */
const outside = 0.02
/** Pixels looked at to find the range. */
const samples = 10_000

/**
 * Depths in equal steps, from 1 for near to 255 for far.
 * @param raw disparities with 16 bits, little-endian; 0 is invalid
 */
export function depthSteps(raw: Uint8Array): Uint8Array {
  const values = new Uint16Array(raw.buffer, raw.byteOffset, raw.length / 2)
  const every = Math.max(1, Math.floor(values.length / samples))
  const seen = new Uint16Array(Math.ceil(values.length / every))
  let count = 0
  for (let index = 0; index < values.length; index += every)
    if (values[index] !== 0) seen[count++] = values[index] as number
  const sorted = seen.subarray(0, count).sort()
  const at = (share: number) => sorted[Math.round(share * (count - 1))] ?? 1
  const [near, far] = [1 / at(1 - outside), 1 / at(outside)]
  const scale = far > near ? (farthest - 1) / (far - near) : 0
  const steps = new Uint8Array(values.length)
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number
    if (value === 0) continue
    const step = (1 / value - near) * scale
    steps[index] = 1.5 + (step < 0 ? 0 : step > farthest - 1 ? farthest - 1 : step)
  }
  return steps
}
