import type { Handlers } from './handler'

export const userSpaceState = { available: true, enabled: false }

export const userSpace = {
  getUserSpace: () => ({ apps: [], ...userSpaceState }),
} satisfies Partial<Handlers>
