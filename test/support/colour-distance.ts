/** Of colours such as `#46B1B9`: CIE 1976, in L*a*b*. */
export function colourDistance(one: string, other: string): number {
  const [first, second] = [lab(one), lab(other)]
  return Math.hypot(...first.map((part, at) => part - (second[at] ?? 0)))
}

/** X, Y and Z of red, green and blue, divided by the white D65. */
const sRgb = [
  [0.4339, 0.3762, 0.1899],
  [0.2126, 0.7152, 0.0722],
  [0.0178, 0.1095, 0.8728],
]

function lab(hex: string): number[] {
  const channels = [1, 3, 5].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255))
  const [x = 0, y = 0, z = 0] = sRgb.map((row) =>
    bent(row.reduce((sum, part, at) => sum + part * (channels[at] ?? 0), 0)),
  )
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)

const bent = (part: number) => (part > 216 / 24_389 ? Math.cbrt(part) : ((24_389 / 27) * part + 16) / 116)
