import { builtins, constants } from './builtins'
import type { Expression, Place, Routine, Statement } from './syntax'

/** The first name in a program that stands for nothing. */
export function unknownName(program: Routine): (Place & { name: string }) | undefined {
  const known = new Set<string>(Object.keys(constants))
  const uses: (Place & { name: string })[] = []

  const expression = (each: Expression | undefined): void => {
    if (!each) return
    switch (each.kind) {
      case 'literal':
        return
      case 'name':
        uses.push(each)
        return
      case 'run':
        uses.push(each)
        return
      case 'list':
        each.items.forEach(expression)
        return
      case 'index':
        expression(each.of)
        expression(each.index)
        return
      case 'unary':
        expression(each.value)
        return
      case 'binary':
        expression(each.left)
        expression(each.right)
        return
      case 'call':
        if (!Object.hasOwn(builtins, each.name)) uses.push(each)
        each.values.forEach(expression)
        each.named.forEach(expression)
    }
  }
  const statement = (each: Statement): void => {
    switch (each.kind) {
      case 'expression':
      case 'thread':
      case 'return':
        expression(each.value)
        return
      case 'assign':
        known.add(each.name)
        expression(each.index)
        expression(each.value)
        return
      case 'if':
        for (const { condition, body } of each.branches) {
          expression(condition)
          body.forEach(statement)
        }
        each.otherwise.forEach(statement)
        return
      case 'while':
        expression(each.condition)
        each.body.forEach(statement)
        return
      case 'define':
        routine(each.routine)
        return
      case 'jump':
    }
  }
  const routine = ({ name, parameters, body }: Routine): void => {
    known.add(name)
    for (const parameter of parameters) {
      known.add(parameter.name)
      expression(parameter.byDefault)
    }
    body.forEach(statement)
  }
  routine(program)
  return uses.find(({ name }) => !known.has(name))
}
