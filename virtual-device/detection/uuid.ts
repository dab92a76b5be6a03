/** A random identifier in the usual notation, version 4. */
export function uuid(random: () => number): string {
  const digits = Array.from({ length: 32 }, (_, index) => {
    const digit = Math.floor(random() * 16)
    if (index === 12) return 4
    return index === 16 ? 8 + (digit % 4) : digit
  })
  const hex = digits.map((digit) => digit.toString(16)).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
