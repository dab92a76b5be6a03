interface Holding {
  holders: number
  /** What all holders have seen together, so that the last one knows it too. */
  seen: Sighting
  /** Ends when the last one has given up what was held. */
  givenUp: Promise<unknown>
}

const holdings = new Map<string, Holding>()

/** What is known of something that is held. */
interface Sighting {
  /** It is there, or may be. */
  mayBeThere: boolean
}

interface Claim {
  /** Shared by all who hold the same. */
  seen: Sighting
  /** Ends when nobody gives up the same any more. */
  free: Promise<unknown>
  /** Gives up, by the given deed where nobody else holds the same. */
  release: <Outcome>(giveUp: () => Promise<Outcome>) => Promise<Outcome | undefined>
}

/** Holds something that several may hold at a time in this process, and that the last one gives up. */
export function claim(key: string): Claim {
  const holding = holdings.get(key) ?? {
    holders: 0,
    seen: { mayBeThere: false },
    givenUp: Promise.resolve(),
  }
  holdings.set(key, holding)
  holding.holders++
  return {
    seen: holding.seen,
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
