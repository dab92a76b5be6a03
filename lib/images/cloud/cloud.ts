/** Points with up to two properties each; all arrays have the same order. */
export interface Cloud {
  /** Number of points. */
  count: number
  /** x, y, z of each point, metres. */
  positions: Float32Array
  /** Red, green, blue of each point, 0 to 255. */
  colours?: Uint8Array
  /** x, y, z of the surface's direction at each point, of length one; three zeros where it is unknown. */
  normals?: Float32Array
}

/** A cloud that grows. */
export class GrowingCloud {
  count = 0
  #positions: Float32Array
  #colours: Uint8Array | undefined
  #normals: Float32Array | undefined

  constructor({ colours, normals }: { colours: boolean; normals: boolean }, room = 1 << 14) {
    this.#positions = new Float32Array(3 * room)
    if (colours) this.#colours = new Uint8Array(3 * room)
    if (normals) this.#normals = new Float32Array(3 * room)
  }

  /** Adds a point; its properties follow. Metres. */
  add(x: number, y: number, z: number): void {
    if (3 * this.count === this.#positions.length) this.#grow()
    const at = 3 * this.count++
    this.#positions[at] = x
    this.#positions[at + 1] = y
    this.#positions[at + 2] = z
  }

  /** The colour of the last point. */
  colour(red: number, green: number, blue: number): void {
    const at = 3 * (this.count - 1)
    const colours = this.#colours
    if (!colours) return
    colours[at] = red
    colours[at + 1] = green
    colours[at + 2] = blue
  }

  /** The normal of the last point. */
  normal(x: number, y: number, z: number): void {
    const at = 3 * (this.count - 1)
    const normals = this.#normals
    if (!normals) return
    normals[at] = x
    normals[at + 1] = y
    normals[at + 2] = z
  }

  /** The points so far, without a copy. */
  cloud(): Cloud {
    const used = 3 * this.count
    return {
      count: this.count,
      positions: this.#positions.subarray(0, used),
      ...(this.#colours && { colours: this.#colours.subarray(0, used) }),
      ...(this.#normals && { normals: this.#normals.subarray(0, used) }),
    }
  }

  #grow(): void {
    const larger = <Values extends Float32Array | Uint8Array>(to: Values, from: Values) => {
      to.set(from)
      return to
    }
    const length = 2 * this.#positions.length
    this.#positions = larger(new Float32Array(length), this.#positions)
    if (this.#colours) this.#colours = larger(new Uint8Array(length), this.#colours)
    if (this.#normals) this.#normals = larger(new Float32Array(length), this.#normals)
  }
}
