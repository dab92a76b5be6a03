import { useExample } from '../support/example'

describe('the example databases', () => {
  const example = useExample('databases', [8087])

  it('stores, reads and deletes, and refuses invalid records', async () => {
    const { answers } = example()
    await answers('databases-region', /id: 'bin_1'/)
    await answers('databases-crate', /id: 'crate'/)
    await answers('databases-vacuum', /id: 'vacuum'/)
    await answers('databases-list', /\[\s*\{\s*height_open_side.*id: 'crate'|id: 'crate'.*rim_thickness/s)
    await answers('databases-away', /\[ 'crate' \]/)
    await answers('databases-list', /\[\]/)
    await answers('databases-tiny', /width is missing/)
  })
})
