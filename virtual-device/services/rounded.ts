/** The device reports six significant digits. */
export const rounded = (value: number): number => Number(value.toPrecision(6))
