interface Holding {
  holders: number
  /** What all holders have observed together, so that the last one knows it too. */
  seen: Sighting
  /** Resolves when the last holder has finished its release. */
  givenUp: Promise<unknown>
}

const holdings = new Map<string, Holding>()

/** What is known of a held resource. */
interface Sighting {
  /** Whether it exists, or may exist. */
  mayBeThere: boolean
}

interface Claim {
  /** Shared by all holders of the same resource. */
  seen: Sighting
  /** Resolves when no release of the same resource is in progress. */
  free: Promise<unknown>
  /** Releases the claim; calls `giveUp` if nobody else holds the same. */
  release: <Outcome>(giveUp: () => Promise<Outcome>) => Promise<Outcome | undefined>
}

/** Claims a resource that several in this process may hold at a time, and that the last one gives up. */
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
