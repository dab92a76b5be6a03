import 'should'
import { useExample } from '../support/example'

describe('the example recipe-change', () => {
  const example = useExample('recipe-change', [8123, 1523])
  const parameter = async (node: string, name: string) => {
    const { port } = example()
    const url = `http://127.0.0.1:${port(8123)}/api/v2/pipelines/0/nodes/${node}/parameters/${name}`
    return ((await (await fetch(url)).json()) as { value: number | string | boolean }).value
  }
  /** What the PLC reads of a product that runs; the word that echoes its job stands in the middle. */
  const runs = (product: number) => new RegExp(`code: 0,\\s+done: true[^]*jobEcho: ${product}\\b`)

  it('writes all parameters of a product', async () => {
    const { answers } = example()
    await answers('recipe-a', runs(1))
    await answers('recipe-b', runs(2))
    ;(await parameter('dev_camera', 'fps')).should.equal(10)
    ;(await parameter('dev_camera', 'exp_auto')).should.equal(false)
    ;(await parameter('dev_stereomatching', 'quality')).should.equal('Full')
    ;(await parameter('dev_itempick', 'max_grasps')).should.equal(1)
  })

  it('keeps the product before if one parameter is not allowed, and says which', async () => {
    const { answers, prints } = example()
    await answers('recipe-a', runs(1))
    await answers('recipe-c', /code: 299,\s+done: false/)
    await prints(/events\]\s+.*failed: result 299 .*minconf/)
    ;(await parameter('dev_camera', 'fps')).should.equal(25)
    ;(await parameter('dev_stereomatching', 'minconf')).should.equal(0.5)
  })

  it('undoes what was written if the device refuses a part of it', async () => {
    const { answers, press, prints } = example()
    await answers('recipe-a', runs(1))
    await press('recipe-without')
    await answers('recipe-b', /done: false/)
    await prints(/events\]\s+.*failed: .*license.* Restored to their previous values: dev_camera \(/)
    ;(await parameter('dev_camera', 'fps')).should.equal(25)
    ;(await parameter('dev_stereomatching', 'quality')).should.equal('High')
    await press('recipe-with')
    await answers('recipe-b', runs(2))
  })

  it('tells the PLC that there is no recipe', () =>
    example().answers('recipe-d', /code: 11,\s+done: false/))
})
