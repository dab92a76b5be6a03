// docs/codes.md: every code that a flow, a PLC or a robot may get, in English and German.
import { createRequire } from 'node:module'
import { callErrors, nodeHelp } from './node-help.mjs'
import { code, opening, table } from './page.mjs'

const require = createRequire(import.meta.url)
const { errorCodes } = require('../../dist/lib/contract/error-codes')
const { robotErrorCodes } = require('../../dist/lib/robot-motion/state')
const { defaultCodes } = require('../../dist/lib/plc/codes')
const { codeNameText } = require('../../dist/lib/plc/program/language')
const { robotCodes, meaningOf } = require('../../dist/nodes/robots/codes')
const { withLanguage } = require('../../dist/nodes/shared/node-error')

const languages = ['English', 'German']

function errorRows() {
  const english = callErrors('en-US', 'Errors')
  const german = callErrors('de', 'Fehler')
  return Object.keys(errorCodes).map((name) => [code(name), english[name], german[name]])
}

const motionRows = () =>
  Object.entries(robotErrorCodes)
    .filter(([name]) => !(name in errorCodes))
    .map(([name, meaning]) => [code(name), meaning])

const byNumber = (codes) => Object.entries(codes).sort(([, one], [, other]) => one - other)

const plcRows = () =>
  byNumber(defaultCodes).map(([name, number]) => [
    number,
    code(name),
    codeNameText(name, 'en-US'),
    codeNameText(name, 'de'),
  ])

const robotRows = () =>
  byNumber(robotCodes)
    .filter(([name]) => !(name in defaultCodes))
    .map(([name, number]) => [
      number,
      code(name),
      withLanguage('en-US', () => meaningOf(number)),
      withLanguage('de', () => meaningOf(number)),
    ])

const nodeRows = () =>
  nodeHelp()
    .filter(({ errors, type }) => errors.length && type !== 'device-config')
    .map(({ label, errors }) => [`*${label}*`, errors.map(code).join(', ')])

export const codesPage = () => `${opening('Codes', [
  'Integrators, PLC and robot programmers, electricians',
  'The meaning of a code that a flow, a PLC or a robot received',
  'none',
  'reference',
])}
Generated from the descriptions of the codes and the nodes' help by \`npm run docs\`.

## Errors of a message

\`error.code\` of a message from a *Catch* node, and \`msg.vision.code\`. What to do about each is in [failures.md](failures.md).

${table(['Code', ...languages], errorRows())}

## Errors of moving a robot

The node *robot* and *hand-eye calibration* with a robot that it moves have these too ([robot-motion.md](robot-motion.md)).

${table(['Code', 'Meaning'], motionRows())}

## Result codes for the PLC

Each number can be changed in the dialog of the PLC handshake. Negative codes of the device are passed on as they are. What to do
about each is in [plc-codes.md](plc-codes.md#what-each-code-means).

${table(['Code', 'Name', ...languages], plcRows())}

## Codes for robots

Robots get the codes of the PLC, and these in addition ([robots.md](robots.md)).

${table(['Code', 'Name', ...languages], robotRows())}

## Errors by node

The help of each node explains what a code means there.

${table(['Node', 'Codes'], nodeRows())}
`
