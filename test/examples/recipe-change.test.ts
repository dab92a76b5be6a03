import 'should'
import { useExample } from '../support/example'

describe('the example recipe-change', () => {
  const example = useExample('recipe-change', [8123])
  const parameter = async (node: string, name: string) => {
    const { port } = example()
    const url = `http://127.0.0.1:${port(8123)}/api/v2/pipelines/0/nodes/${node}/parameters/${name}`
    return ((await (await fetch(url)).json()) as { value: number | string | boolean }).value
  }

  it('writes all parameters of a product', async () => {
    const { answers } = example()
    await answers('recipe-a', /runs\]\s+'?A\b/)
    await answers('recipe-b', /runs\]\s+'?B\b/)
    ;(await parameter('dev_camera', 'fps')).should.equal(10)
    ;(await parameter('dev_camera', 'exp_auto')).should.equal(false)
    ;(await parameter('dev_stereomatching', 'quality')).should.equal('Full')
    ;(await parameter('dev_itempick', 'max_grasps')).should.equal(1)
  })

  it('returns to the previous product if one parameter is refused', async () => {
    const { answers, prints } = example()
    const before = await parameter('dev_camera', 'exp_auto')
    await answers('recipe-c', /why not\].*minconf[^]*runs\]\s+'?B\b/)
    ;(await parameter('dev_camera', 'exp_auto')).should.equal(before)
    ;(await parameter('dev_stereomatching', 'minconf')).should.equal(0.7)
    await prints(/why not\]/)
  })

  it('undoes what was written if the device refuses a part of it', async () => {
    const { answers, press } = example()
    await answers('recipe-a', /runs\]\s+'?A\b/)
    await press('recipe-without')
    const isBack = /why not\].*license.* Restored to their previous values: dev_camera \(.*[^]*runs\]\s+'?A\b/
    await answers('recipe-b', isBack)
    ;(await parameter('dev_camera', 'fps')).should.equal(25)
    ;(await parameter('dev_stereomatching', 'quality')).should.equal('High')
    await press('recipe-with')
    await answers('recipe-b', /runs\]\s+'?B\b/)
  })

  it('reports that there is no recipe', () =>
    example().answers('recipe-d', /there is no recipe for product D/))
})
