import { RegExpParser, type AST } from '@eslint-community/regexpp'

/** After a match that ended here; false if nothing follows. */
type Continuation = (place: number) => boolean
type Matcher = (place: number, next: Continuation) => boolean

/** Counts as endless; linear expressions take far fewer on short texts. */
const mostSteps = 200_000

class TooManySteps extends Error {}

/** Positions and parts that a backtracking engine tries for `text.replace(expression, …)`. */
export class StepCounter {
  private steps = 0
  private text = ''
  private readonly groups = new Map<AST.CapturingGroup, string>()
  private readonly flags: AST.Flags
  private readonly whole: Matcher

  constructor(literal: AST.RegExpLiteral) {
    this.flags = literal.flags
    this.whole = this.alternatives(literal.pattern.alternatives)
  }

  /** Infinite if it gives up. */
  count(text: string): number {
    this.text = text
    this.steps = 0
    try {
      this.search()
      return this.steps
    } catch (error) {
      if (error instanceof TooManySteps) return Infinity
      throw error
    }
  }

  private step(steps = 1) {
    this.steps += steps
    if (this.steps > mostSteps) throw new TooManySteps()
  }

  private search() {
    for (let from = 0; from <= this.text.length;) {
      let end = -1
      const found = this.whole(from, (place) => {
        end = place
        return true
      })
      if (this.flags.sticky || (found && !this.flags.global)) break
      from = found && end > from ? end : from + 1
    }
  }

  private alternatives(alternatives: readonly AST.Alternative[]): Matcher {
    const matchers = alternatives.map(({ elements }) => elements.map((element) => this.element(element)))
    const inRow = (row: readonly Matcher[], index: number, place: number, next: Continuation): boolean => {
      const matcher = row[index]
      return matcher ? matcher(place, (end) => inRow(row, index + 1, end, next)) : next(place)
    }
    return (place, next) => matchers.some((row) => inRow(row, 0, place, next))
  }

  private element(element: AST.Element): Matcher {
    switch (element.type) {
      case 'Quantifier':
        return this.quantifier(element)
      case 'Group':
        return this.alternatives(element.alternatives)
      case 'CapturingGroup': {
        const inner = this.alternatives(element.alternatives)
        return (start, next) =>
          inner(start, (end) => {
            this.groups.set(element, this.text.slice(start, end))
            return next(end)
          })
      }
      case 'Assertion':
        return this.assertion(element)
      case 'Backreference': {
        const [group] = Array.isArray(element.resolved) ? element.resolved : [element.resolved]
        return (place, next) => {
          const held = (group && this.groups.get(group)) ?? ''
          this.step(held.length + 1)
          return this.text.startsWith(held, place) && next(place + held.length)
        }
      }
      default: {
        const single = new RegExp(`^${element.raw}$`, this.flags.raw.replace(/[gy]/g, ''))
        const known = new Map<string, boolean>()
        const fits = (character: string) => {
          const fit = known.get(character) ?? single.test(character)
          known.set(character, fit)
          return fit
        }
        return (place, next) => {
          this.step()
          return place < this.text.length && fits(this.text.charAt(place)) && next(place + 1)
        }
      }
    }
  }

  private quantifier({ element, min, max, greedy }: AST.Quantifier): Matcher {
    const once = this.element(element)
    const times = (count: number, place: number, next: Continuation): boolean => {
      this.step()
      const more = () =>
        count < max && once(place, (end) => (end > place || count < min) && times(count + 1, end, next))
      if (count < min) return more()
      return greedy ? more() || next(place) : next(place) || more()
    }
    return (place, next) => times(0, place, next)
  }

  private assertion(assertion: AST.Assertion): Matcher {
    const holds = this.condition(assertion)
    return (place, next) => {
      this.step()
      return holds(place) && next(place)
    }
  }

  private condition(assertion: AST.Assertion): (place: number) => boolean {
    const isWord = (place: number) => /\w/.test(this.text.charAt(place))
    switch (assertion.kind) {
      case 'start':
        return (place) => place === 0 || (this.flags.multiline && this.text[place - 1] === '\n')
      case 'end':
        return (place) => place === this.text.length || (this.flags.multiline && this.text[place] === '\n')
      case 'word':
        return (place) => (isWord(place - 1) !== isWord(place)) !== assertion.negate
      case 'lookahead': {
        const inner = this.alternatives(assertion.alternatives)
        return (place) => inner(place, () => true) !== assertion.negate
      }
      case 'lookbehind': {
        const inner = this.alternatives(assertion.alternatives)
        // Of limited length in this project.
        return (place) =>
          [0, 1, 2, 3, 4].some((back) => place >= back && inner(place - back, (end) => end === place)) !==
          assertion.negate
      }
    }
  }
}

export const parsed = (literal: string): AST.RegExpLiteral => new RegExpParser().parseLiteral(literal)
