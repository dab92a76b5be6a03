import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AST } from '@eslint-community/regexpp'
import should from 'should'
import ts from 'typescript'
import { pumps } from '../support/pump-texts'
import { parsed, StepCounter } from '../support/regex-steps'
import { root } from '../support/root'

const folders = ['lib', 'nodes', 'virtual-device', 'editor']
/** Repetitions of a piece: twice as many must not take four times the steps. */
const repetitions = 20
const most = 2.7

describe('regular expressions', () => {
  for (const [expression, why] of [
    ['/\\s+$/', 'tries again at each space'],
    ['/\\$\\{[^}]*\\}/g', 'tries again at each beginning'],
    ['/\\beyJ[\\w-]+\\.[\\w-]+/', 'tries again behind each hyphen'],
    ['/^(\\d+\\.?\\d*)x/', 'shares characters between two repetitions'],
    ['/^(a+)+$/', 'repeats a repetition'],
    ['/[\\w-]*(?:key|hash)[\\w-]*\\s*=/gi', 'has the same on both sides of a word'],
  ] as const)
    it(`are detected if one ${why}`, () => should(worst(parsed(expression))).not.be.undefined())

  it('take a number of steps proportional to the text, whatever it contains', () => {
    const expressions = folders.flatMap(expressionsIn)
    expressions.length.should.be.above(50)
    const found = expressions.flatMap(({ place, text }) => {
      const pump = worst(parsed(text))
      return pump === undefined ? [] : [`${place}: ${text} on repeated ${JSON.stringify(pump)}`]
    })
    found.should.eql([])
  })
})

/** The piece that, repeated, makes the expression take more than linear time. */
function worst(literal: AST.RegExpLiteral): string | undefined {
  const counter = new StepCounter(literal)
  return pumps(literal).find((pump) =>
    ['', '\u0001'].some((end) => {
      const [few, many] = [repetitions, 2 * repetitions].map((times) =>
        counter.count(pump.repeat(times) + end),
      )
      return many === Infinity || (many ?? 0) > most * (few ?? 0)
    }),
  )
}

/** The literals that repeat something without a limit. */
function expressionsIn(folder: string): { place: string; text: string }[] {
  const found: { place: string; text: string }[] = []
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((one) => one.endsWith('.ts'))) {
    const source = ts.createSourceFile(
      file,
      readFileSync(join(root, folder, file), 'utf8'),
      ts.ScriptTarget.Latest,
    )
    const visit = (node: ts.Node) => {
      if (ts.isRegularExpressionLiteral(node) && /[*+]|,\}/.test(node.text))
        found.push({ place: join(folder, file), text: node.text })
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return found
}
