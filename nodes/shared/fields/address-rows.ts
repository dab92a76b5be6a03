/** A TCP port; its default is the protocol's. */
export const portRow = {
  kind: 'number',
  least: 1,
  most: 65535,
  whole: true,
  unit: '1',
  icon: 'plug',
} as const

/** Own address that others connect to. */
export const ownAddressRow = { kind: 'text', default: '127.0.0.1', icon: 'desktop', hint: true } as const

/** Comma-separated addresses that may connect. */
export const allowedRow = {
  kind: 'text',
  default: '',
  icon: 'shield',
  placeholder: true,
  hint: true,
} as const
