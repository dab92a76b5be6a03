/** Longest program, characters. */
const longest = 512 * 1024

/** Cuts what arrives into programs and single lines. */
export class ProgramTexts {
  /** What has arrived: lines that were not cut yet, then the pieces of one that has not ended, and their characters. */
  #lines = ''
  #rest: string[] = []
  #restSize = 0
  #program: string[] | undefined
  #programSize = 0

  push(text: string): void {
    this.#rest.push(text)
    this.#restSize += text.length
    if (!text.includes('\n')) return
    this.#lines += this.#rest.join('')
    this.#rest = []
    this.#restSize = 0
  }

  /** Whether what is not complete is longer than any program. */
  get isTooLong(): boolean {
    return this.#restSize + this.#programSize > longest
  }

  /** The next program or line that is complete. */
  next(): string | undefined {
    for (let end = this.#lines.indexOf('\n'); end >= 0; end = this.#lines.indexOf('\n')) {
      const line = this.#lines.slice(0, end)
      this.#lines = this.#lines.slice(end + 1)
      const program = this.#take(line)
      if (program !== undefined) return program
    }
    if (this.#lines !== '') {
      this.#rest.unshift(this.#lines)
      this.#restSize += this.#lines.length
      this.#lines = ''
    }
    return undefined
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
