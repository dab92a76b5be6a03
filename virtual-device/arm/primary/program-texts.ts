/** Longest program, characters. */
const longest = 512 * 1024

/** Cuts what arrives into programs and single lines. */
export class ProgramTexts {
  #rest = ''
  #program: string[] | undefined

  /** @returns undefined if a program is too long */
  push(text: string): string[] | undefined {
    const whole: string[] = []
    const lines = `${this.#rest}${text}`.split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      if (this.#program) {
        this.#program.push(line)
        if (isEnd(line)) {
          whole.push(`${this.#program.join('\n')}\n`)
          this.#program = undefined
        }
      } else if (line.startsWith('def ') || line.startsWith('sec ')) this.#program = [line]
      else if (line.trim() !== '') whole.push(`${line}\n`)
    }
    const size = this.#rest.length + (this.#program?.reduce((sum, line) => sum + line.length, 0) ?? 0)
    return size > longest ? undefined : whole
  }
}

/** A program ends at an `end` that is not indented. */
const isEnd = (line: string) => line.startsWith('end') && line.slice(3).trim() === ''
