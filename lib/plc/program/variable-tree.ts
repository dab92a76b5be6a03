import type { Dialect } from './dialects'
import { inOneLine, Names, plainName } from './identifiers'
import type { NamedVariable } from './named-variables'
import { defaultList, variablePath, type NamedProtocol } from './variable-path'

/** A variable of the map, and where it is in the program. */
export interface PlacedVariable {
  variable: NamedVariable
  /** List or data block, structures, name. */
  path: readonly string[]
}

/** A list of variables, or a structure in it. */
interface Branch {
  branches: Map<string, Branch>
  leaves: Map<string, NamedVariable>
}

/** The lists and structures that the names of a map mean. */
export class VariableTree {
  readonly placed: readonly PlacedVariable[]
  readonly #dialect: Dialect
  /** Lists by their name. */
  readonly #root: Branch = newBranch()

  constructor(variables: readonly NamedVariable[], protocol: NamedProtocol, dialect: Dialect) {
    this.#dialect = dialect
    const taken = new Names()
    this.placed = variables.map((variable) => {
      const found = variablePath(variable.name, protocol, variable.side)
      const path = found.length > 0 ? found : [defaultList, variable.fields[0].name]
      const parents = path.slice(0, -1)
      // Two names that differ only in what no controller takes.
      const place = parents.map((part) => plainName(part)).join('.')
      const wished = path.at(-1) ?? ''
      const isTaken = taken.next(`${place}.${plainName(wished)}`)
      const name =
        isTaken.toLowerCase() === `${place}.${plainName(wished)}`.toLowerCase()
          ? wished
          : isTaken.slice(place.length + 1)
      const [list = '', ...structures] = parents
      let branch = childOf(this.#root, list)
      for (const each of structures) branch = childOf(branch, each)
      branch.leaves.set(name, variable)
      return { variable, path: [...parents, name] }
    })
  }

  get lists(): string[] {
    return [...this.#root.branches.keys()]
  }

  /** Types first. @param meaning what the comment beside a variable says */
  declarations(meaning: (variable: NamedVariable) => string): string[] {
    const lists = [...this.#root.branches]
    const types = lists.flatMap(([list, branch]) => this.#typesIn(branch, list, meaning))
    const variables = lists.flatMap(([list, branch]) => [
      ...this.#dialect.variables(list, this.#members(branch, list, meaning)),
      '',
    ])
    return [...types, ...variables]
  }

  #typesIn(branch: Branch, place: string, meaning: (variable: NamedVariable) => string): string[] {
    return [...branch.branches].flatMap(([name, inner]) => {
      const inside = typePlace(place, name)
      return [
        ...this.#typesIn(inner, inside, meaning),
        ...this.#dialect.structure(typeOf(inside), this.#members(inner, inside, meaning)),
        '',
      ]
    })
  }

  #members(
    { branches, leaves }: Branch,
    place: string,
    meaning: (variable: NamedVariable) => string,
  ): string[] {
    const { member, typeName } = this.#dialect
    return [
      ...[...branches.keys()].map((name) => `${member(name)} : ${typeName(typeOf(typePlace(place, name)))};`),
      ...[...leaves].map(([name, variable]) => {
        const original = variable.name.endsWith(member(name)) ? '' : `${variable.name} · `
        return `${member(name)} : ${variable.type};   // ${inOneLine(original + meaning(variable))}`
      }),
    ]
  }
}

const newBranch = (): Branch => ({ branches: new Map(), leaves: new Map() })

function childOf({ branches }: Branch, name: string): Branch {
  const known = branches.get(name) ?? newBranch()
  branches.set(name, known)
  return known
}

const typePlace = (place: string, name: string) => `${place}_${name}`
const typeOf = (place: string) => `${plainName(place)}_Type`
