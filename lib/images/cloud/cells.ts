/** Cells along an axis on each side of the origin: three numbers then fit into one that is exact. */
const halfCells = 1 << 16

/**
 * Numbers the cubes of a grid from 0, in the order in which they are first met. Its table never grows, because moving a
 * million entries would hold the event loop.
 */
export class Cells {
  count = 0
  readonly #edge: number
  readonly #mask: number
  readonly #keys: Float64Array
  /** Number of the cell, plus one; 0 is a free place. */
  readonly #numbers: Int32Array

  /**
   * @param edge of a cube, metres
   * @param most number of different cubes
   */
  constructor(edge: number, most: number) {
    const size = 2 ** Math.ceil(Math.log2(2 * most + 2))
    this.#edge = edge
    this.#mask = size - 1
    this.#keys = new Float64Array(size)
    this.#numbers = new Int32Array(size)
  }

  /** The number of the cube around a position; undefined beyond 65536 cubes from the origin. */
  numberAt(x: number, y: number, z: number): number | undefined {
    const [first, second, third] = [this.#cell(x), this.#cell(y), this.#cell(z)]
    if (!isInGrid(first) || !isInGrid(second) || !isInGrid(third)) return undefined
    const key = (first * 2 * halfCells + second) * 2 * halfCells + third
    // Neighbours must not follow one another: what collides is looked for place by place.
    const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35)
    for (let place = (mixed ^ (mixed >>> 15)) & this.#mask; ; place = (place + 1) & this.#mask) {
      const number = this.#numbers[place] ?? 0
      if (number === 0) {
        this.#keys[place] = key
        return (this.#numbers[place] = ++this.count) - 1
      }
      if (this.#keys[place] === key) return number - 1
    }
  }

  #cell(coordinate: number): number {
    return Math.floor(coordinate / this.#edge) + halfCells
  }
}

const isInGrid = (cell: number) => cell >= 0 && cell < 2 * halfCells
