import should from 'should'
import { dialogSource, nodeNames } from '../support/dialog-source'

// Whether dialog and runtime have the same fields is tested with the dialogs.
const definitionOf = (node: string) => dialogSource(node).registered[0]?.definition

describe('the fields of every node', () => {
  it('avoid the names that Node-RED reserves', () => {
    const kept = ['users', 'valid', 'changed', 'id', 'type', 'wires']
    for (const name of nodeNames.flatMap((node) => Object.keys(definitionOf(node)?.defaults ?? {})))
      should(kept.includes(name) || name.length < 2).be.false(name)
  })
})
