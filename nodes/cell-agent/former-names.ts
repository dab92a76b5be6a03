import { readFile } from 'node:fs/promises'
import { writeDurably } from '../../lib/files/write-durably'
import type { CellName } from '../../lib/fleet'
import { isObject } from '../shared/is-object'

/** Where a cell is, or was, at the broker. */
interface NamedCell extends CellName {
  /** Milliseconds since 1970: when the broker has dropped its state anyway. */
  until: number
}

/**
 * The names under which a cell may still have a retained state at the broker: a renamed cell takes it back, or the centre
 * would wait for a cell that is not there. Kept on disk until the broker was connected once.
 */
export class FormerNames {
  private constructor(
    private readonly file: string,
    private readonly own: NamedCell,
    private former: readonly NamedCell[],
  ) {}

  /** @param expires seconds for which the broker keeps a state */
  static async open(file: string, { root, plant, cell }: CellName, expires: number): Promise<FormerNames> {
    const now = Date.now()
    const own = { root, plant, cell, until: now + 1000 * expires }
    const text = await readFile(file, 'utf8').catch(() => '[]')
    const known = namesIn(text).filter((name) => name.until > now && !isSame(name, own))
    return new FormerNames(file, own, known)
  }

  get names(): readonly CellName[] {
    return this.former
  }

  /** Notes the present name, which may be a former one at the next start. @throws Error of the file system */
  async keep(): Promise<void> {
    await writeDurably(this.file, JSON.stringify([...this.former, this.own]), 0o600)
  }

  /** The states under the former names were taken back while the broker was connected. */
  async takenBack(): Promise<void> {
    if (this.former.length === 0) return
    this.former = []
    await this.keep()
  }
}

const isSame = (one: CellName, other: CellName) =>
  one.root === other.root && one.plant === other.plant && one.cell === other.cell

function namesIn(text: string): NamedCell[] {
  try {
    const list = JSON.parse(text) as unknown
    return Array.isArray(list) ? list.filter(isNamed) : []
  } catch {
    return []
  }
}

function isNamed(given: unknown): given is NamedCell {
  if (!isObject(given)) return false
  const { root, plant, cell, until } = given
  return [root, plant, cell].every((level) => typeof level === 'string') && typeof until === 'number'
}
