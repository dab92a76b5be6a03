/** Names for groups of plants, cells and devices, `{ "pilot": ["north/cell-1", "south"] }`. */
export class Labels {
  readonly #byPlace = new Map<string, string[]>()

  constructor(places: Readonly<Record<string, readonly string[]>> = {}) {
    for (const [label, list] of Object.entries(places))
      for (const place of list) this.#byPlace.set(place, [...(this.#byPlace.get(place) ?? []), label])
  }

  /** The labels of a device: its own, those of its cell and of its plant. */
  of(plant: string, cell: string, address: string): readonly string[] {
    if (this.#byPlace.size === 0) return none
    return [plant, `${plant}/${cell}`, address].flatMap((place) => this.#byPlace.get(place) ?? [])
  }
}

const none: readonly string[] = []
