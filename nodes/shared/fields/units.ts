/** The units of numbers in the dialogs, as displayed; `1` is a plain number or a count. */
export const units = ['s', 'ms', 'mm', '°', 'Hz', '1'] as const

export type Unit = (typeof units)[number]
