import type { Leaf } from './form-shape'

type LeafDetails = { readonly [Name in keyof Omit<Leaf, 'is' | 'type'>]?: Leaf[Name] | undefined }

/** One value of a form, from what the device or the contract says about it. */
export const leaf = (type: string, told: LeafDetails = {}): Leaf => ({
  is: 'leaf',
  type,
  ...Object.fromEntries(Object.entries(told).filter(([, value]) => isTold(value))),
})

const isTold = (value: unknown) => value !== undefined && value !== false
