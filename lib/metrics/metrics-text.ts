import type { Families, Family } from './family'
import type { SeriesGroup } from './series-group'

/** Lines in one piece of the text: written in well under a millisecond. */
const pieceLines = 100

/**
 * The groups in the text format 0.0.4 of Prometheus: all series of a metric together, below its help and type. Yields
 * the text in short pieces, so that it can be written in slices.
 */
export function* metricsText(
  families: Families,
  groups: readonly SeriesGroup[],
): Generator<string, undefined> {
  for (const [name, family] of Object.entries(families)) {
    let lines: string[] = []
    let isBegun = false
    for (const group of groups) {
      for (const line of group.lines(name)) lines.push(line)
      if (lines.length < pieceLines) continue
      yield piece(name, family, lines, isBegun)
      isBegun = true
      lines = []
    }
    if (lines.length > 0) yield piece(name, family, lines, isBegun)
  }
  return undefined
}

const piece = (name: string, family: Family, lines: readonly string[], isBegun: boolean): string =>
  `${isBegun ? '' : headOf(name, family)}${lines.join('\n')}\n`

const headOf = (name: string, { help, type }: Family) =>
  `# HELP ${name} ${help.replace(/[\\\n]/g, (character) => (character === '\n' ? '\\n' : '\\\\'))}\n# TYPE ${name} ${type}\n`
