import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const declarations = 'dist/lib/contract/index.d.ts'

/** For code editors: the client's methods are mapped from the operations, whose comments the compiler drops when spread. */
export function addDocstrings() {
  const { operations } = createRequire(import.meta.url)('../dist/lib/contract')
  const before = readFileSync(declarations, 'utf8')
  const after = before.replace(/^( {4})(?:readonly )?(\w+): \{$/gm, (line, indent, id, at) => {
    const isDone = before.slice(0, at).endsWith('*/\n')
    return Object.hasOwn(operations, id) && !isDone ? docstring(operations[id], indent) + line : line
  })
  if (after !== before) writeFileSync(declarations, after)
}

const docstring = ({ summary, errors }, indent) =>
  [
    '/**',
    ` * ${summary}.`,
    ...Object.entries(errors).map(([status, meaning]) => ` * @throws VisionError ${status} ${meaning}`),
    ' */',
  ]
    .map((line) => `${indent}${line}\n`)
    .join('')
