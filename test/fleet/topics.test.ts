import should from 'should'
import {
  cellTopics,
  centreAnswerTopic,
  isPlant,
  isRoot,
  readCellTopic,
  readCentreAnswerTopic,
  topicOf,
} from '../../lib/fleet/messages'

describe('topics of a fleet', () => {
  it('name a cell and what its message is, and are read back', () => {
    const cell = { root: 'works/vision', plant: 'north', cell: 'cell-7' }
    for (const last of cellTopics)
      should(readCellTopic(cell.root, topicOf(cell, last))).deepEqual({ ...cell, last })
    should(readCentreAnswerTopic('vision', centreAnswerTopic('vision', 'a'))).equal('a')
  })

  it('of others are none', () => {
    for (const topic of [
      ...['vision/north/cell-7', 'vision/north/cell-7/other', 'vision/north/cell-7/state/more'],
      ...['vision/centre/a/state', 'vision/centre/a/answer', 'other/north/cell-7/state', 7, undefined],
      ...['vision/north/cell 7/state', 'vision/+/cell-7/state', `vision/${'n'.repeat(65)}/cell-7/state`],
    ])
      should(readCellTopic('vision', topic)).be.undefined()
    for (const topic of ['vision/north/a/answer', 'vision/centre/a', 'vision/centre/a/answer/more'])
      should(readCentreAnswerTopic('vision', topic)).be.undefined()
  })

  it('have names that are no levels of others, here or in Sparkplug', () => {
    for (const plant of ['north', 'Halle.3', 'state']) should(isPlant(plant)).be.true()
    for (const plant of ['centre', 'STATE', '', 'a/b', '#', '+', 'Süd', 'n'.repeat(65), 7, undefined])
      should(isPlant(plant)).be.false()
    for (const root of ['vision', 'works/vision']) should(isRoot(root)).be.true()
    for (const root of ['', '/vision', 'vision/', 'vision//x', '#']) should(isRoot(root)).be.false()
  })
})
