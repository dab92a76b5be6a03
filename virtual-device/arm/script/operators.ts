import { numberIn, ScriptPose, shown, truthIn, ValueError, type Value } from './values'

const arithmetic: Readonly<Partial<Record<string, (a: number, b: number) => number | boolean>>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
}

/** The value of two values. @throws ValueError if their types do not fit */
export function computed(operator: string, left: Value, right: Value): Value {
  switch (operator) {
    case '==':
      return isSame(left, right)
    case '!=':
      return !isSame(left, right)
    case 'and':
      return truthIn(left) && truthIn(right)
    case 'or':
      return truthIn(left) || truthIn(right)
    case 'xor':
      return truthIn(left) !== truthIn(right)
  }
  const [a, b] = [numberIn(left), numberIn(right)]
  if ((operator === '/' || operator === '%') && b === 0) throw new ValueError('division by zero')
  return arithmetic[operator]?.(a, b)
}

/** @throws ValueError if the type does not fit */
export const negated = (operator: string, value: Value): Value =>
  operator === 'not' ? !truthIn(value) : operator === '-' ? -numberIn(value) : numberIn(value)

/** An element of a list or pose. @throws ValueError if there is none */
export function indexed(of: Value, index: Value): Value {
  const list = of instanceof ScriptPose ? of.numbers : of
  const at = numberIn(index)
  if (!Array.isArray(list) || !Number.isInteger(at) || at < 0 || at >= list.length)
    throw new ValueError(`there is no element ${shown(index)}`)
  return list[at]
}

const isSame = (one: Value, other: Value): boolean =>
  typeof one === typeof other && shown(one) === shown(other)
