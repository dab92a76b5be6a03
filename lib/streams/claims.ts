interface Holding {
  holders: number
  /** Ends when the last one has given up what was held. */
  givenUp: Promise<unknown>
}

const holdings = new Map<string, Holding>()

interface Claim {
  /** Ends when nobody gives up the same any more. */
  free: Promise<unknown>
  /** Gives up, by the given deed where nobody else holds the same. */
  release: <Outcome>(giveUp: () => Promise<Outcome>) => Promise<Outcome | undefined>
}

/** Holds something that several may hold at a time in this process, and that the last one gives up. */
export function claim(key: string): Claim {
  const holding = holdings.get(key) ?? { holders: 0, givenUp: Promise.resolve() }
  holdings.set(key, holding)
  holding.holders++
  return {
    free: holding.givenUp,
    release: async (giveUp) => {
      if (--holding.holders > 0) return undefined
      const givingUp = giveUp()
      holding.givenUp = givingUp.catch(() => undefined)
      try {
        return await givingUp
      } finally {
        if (holding.holders === 0) holdings.delete(key)
      }
    },
  }
}
