/** A lint rule: regular expressions are literals, so that what they cost is checked. */
const rule = {
  create: (context) => {
    const check = (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name === 'RegExp')
        context.report({ node, message: 'Write expressions as literals, so that their cost is checked.' })
    }
    return { NewExpression: check, CallExpression: check }
  },
}

export default { meta: { name: 'expressions' }, rules: { literal: rule } }
