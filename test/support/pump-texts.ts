import { visitRegExpAST, type AST } from '@eslint-community/regexpp'

/** One of each class. */
const usual = ['a', 'f', 'A', '0', '_', ' ', '-', '.', '/', '+', ':', '=', '"', '[', '{', '*', '\n', '\u00e4']
const mostAtoms = 8

/** Pieces that, repeated, load an expression: matches of its parts, and pairs. */
export function pumps(literal: AST.RegExpLiteral): string[] {
  const atoms = atomsOf(literal)
  return [...new Set([...atoms, ...atoms.flatMap((one) => atoms.map((other) => one + other))])]
}

/** Matches of single parts, and literal words. */
function atomsOf(literal: AST.RegExpLiteral): string[] {
  const words = new Set<string>()
  const characters = new Set<string>()
  const flags = literal.flags.raw.replace(/[gy]/g, '')
  const add = (raw: string) => {
    const single = new RegExp(`^${raw}$`, flags)
    const fitting = usual.filter((character) => single.test(character))
    // A word character and a separator: an expression may start again after each.
    for (const kind of [/\w/, /\W/]) {
      const found = fitting.find((character) => kind.test(character))
      if (found !== undefined) characters.add(found)
    }
  }
  visitRegExpAST(literal, {
    onCharacterClassEnter: ({ raw }) => add(raw),
    onCharacterSetEnter: ({ parent, raw }) => {
      if (parent.type !== 'CharacterClass') add(raw)
    },
    onAlternativeEnter: ({ elements }) => {
      let word = ''
      for (const element of elements) {
        if (element.type === 'Character') word += String.fromCodePoint(element.value)
        else {
          if (word) words.add(word)
          word = ''
        }
      }
      if (word) words.add(word)
    },
    onQuantifierEnter: ({ element }) => {
      if (element.type === 'Character') characters.add(String.fromCodePoint(element.value))
    },
  })
  return [
    ...new Set([...words].slice(0, mostAtoms - Math.min(4, characters.size)).concat([...characters])),
  ].slice(0, mostAtoms)
}
