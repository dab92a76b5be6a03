import type { Leaf } from './form-shape'

type LeafDetails = { readonly [Name in keyof Omit<Leaf, 'is' | 'type'>]?: Leaf[Name] | undefined }

/** One value of a form, of what the device or the contract tells of it. */
export const leaf = (type: string, told: LeafDetails = {}): Leaf => ({
  is: 'leaf',
  type,
  ...Object.fromEntries(Object.entries(told).filter(([, value]) => isTold(value))),
})

const isTold = (value: unknown) => value !== undefined && value !== false
