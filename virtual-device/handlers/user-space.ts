import type { Handlers } from './handler'

export const userSpace = {
  getUserSpace: () => ({ apps: [], available: true, enabled: false }),
} satisfies Partial<Handlers>
