/** Lint rules of the project. */

/** Only literals can be checked for their cost. */
const literalExpressions = {
  create: (context) => {
    const check = (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name === 'RegExp')
        context.report({ node, message: 'Write expressions as literals, so that their cost is checked.' })
    }
    return { NewExpression: check, CallExpression: check }
  },
}

const isFunction = (node) => node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression'

const isNothing = (body) =>
  (body.type === 'Identifier' && body.name === 'undefined') ||
  (body.type === 'UnaryExpression' && body.operator === 'void' && body.argument.type === 'Literal') ||
  (body.type === 'BlockStatement' && body.body.length === 0)

/** Failures are reported, or named in lib/kernel/scope.ts. */
const emptyCatch = {
  create: (context) => ({
    CallExpression: ({ callee, arguments: given }) => {
      if (callee.type !== 'MemberExpression' || callee.computed) return
      const handler = { catch: given[0], then: given[1] }[callee.property.name]
      if (isFunction(handler) && isNothing(handler.body))
        context.report({
          node: handler,
          message: 'Report the failure, or use settled, orUndefined or awaitedLater of lib/kernel/scope.',
        })
    },
  }),
}

export default {
  meta: { name: 'own' },
  rules: { 'literal-expressions': literalExpressions, 'empty-catch': emptyCatch },
}
