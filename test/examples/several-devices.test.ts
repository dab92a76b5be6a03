import { useExample } from '../support/example'

describe('the example several-devices', () => {
  const example = useExample('several-devices', [8131, 8132, 8133])

  it('serves each cell with its own device, and the others while one is missing', async () => {
    const { answers, press, prints } = example()
    const done = (cell: number) => `each cell\\]\\s+cell ${cell}: done`
    // Repeated, because the answer of a device that was still starting may be among the others.
    const all = /all cells\]\s+\{(?=[^}]*'cell 1': 'done')(?=[^}]*'cell 2': 'done')(?=[^}]*'cell 3': 'done')/
    await answers('several-all', all)
    await press('several-out')
    await answers('several-all', new RegExp(`(?=[^]*${done(1)})(?=[^]*${done(3)})`))
    await prints(/each cell\]\s+cell 2: second device: .*(could not be reached|did not answer|connection was lost)/)
    await press('several-in')
    await answers('several-all', new RegExp(done(2)))
  })
})
