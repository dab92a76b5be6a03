// docs/api.md, from the contract.
import { createRequire } from 'node:module'
import { code, opening, table } from './page.mjs'

const { operations } = createRequire(import.meta.url)('../../dist/lib/contract')

const input = ({ params = {}, query = {}, body }) =>
  [
    ...Object.keys(params),
    ...Object.keys(query).map((name) => `?${name}`),
    ...Object.keys(body?.fields ?? {}).map((name) => `${name} (${body.encoding})`),
  ].join(', ')

const row = ([id, operation]) => [
  code(id),
  `${operation.method} ${code(operation.path)}`,
  operation.summary + (operation.beyondSpecification ? ' *Beyond the specification.*' : ''),
  input(operation) || 'none',
  operation.variants?.join(', ') ?? 'both',
  (operation.ubjson ? 'JSON, UBJSON' : 'JSON') + (operation.offersFile ? ', the file' : ''),
  Object.entries(operation.errors)
    .map(([status, meaning]) => `${status} ${meaning}`)
    .join('; ') || 'none',
]

export const apiPage = () => `${opening('The API, operation by operation', [
  'Programmers',
  'The method, request, input and errors of each operation',
  '[The client library](client.md), or the node *device request*',
  'reference',
])}
Generated from \`lib/contract\` by \`npm run docs\`. All paths are relative to \`/api/v2\`. Every operation
may return 400 (a missing or invalid argument), 413, 415 and 429. Operations beyond the specification are known from real
devices: the specification names their group without describing them.

${table(
  ['Client method', 'Request', 'What it does', 'Input', 'Variant', 'Encodings', 'Errors'],
  Object.entries(operations).map(row),
)}
`
