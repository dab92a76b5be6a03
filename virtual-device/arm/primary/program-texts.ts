/** Longest program, characters. */
const longest = 512 * 1024

/** Cuts what arrives into programs and single lines. */
export class ProgramTexts {
  /** Pieces of a line that has not ended, and their characters. */
  #rest: string[] = []
  #restSize = 0
  #program: string[] | undefined
  #programSize = 0

  /** @returns undefined if a program is too long */
  push(text: string): string[] | undefined {
    const whole: string[] = []
    const pieces = text.split('\n')
    const rest = pieces.pop() ?? ''
    for (const piece of pieces) {
      const line = this.#rest.length > 0 ? `${this.#rest.join('')}${piece}` : piece
      this.#rest = []
      this.#restSize = 0
      const program = this.#take(line)
      if (program !== undefined) whole.push(program)
    }
    if (rest !== '') this.#rest.push(rest)
    this.#restSize += rest.length
    return this.#restSize + this.#programSize > longest ? undefined : whole
  }

  #take(line: string): string | undefined {
    if (!this.#program) {
      if (!/^(def|sec) /.test(line)) return line.trim() === '' ? undefined : `${line}\n`
      this.#program = []
    }
    this.#program.push(line)
    this.#programSize += line.length + 1
    if (!isEnd(line)) return undefined
    const text = `${this.#program.join('\n')}\n`
    this.#program = undefined
    this.#programSize = 0
    return text
  }
}

/** A program ends at an `end` that is not indented. */
const isEnd = (line: string) => line.startsWith('end') && line.slice(3).trim() === ''
