import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import {
  recipesIn,
  recipeOf,
  tableIn,
  tableOf,
  undone,
  withoutRecipe,
  withRecipe,
} from '../../lib/recipes/recipes'
import { columnsIn, labelOf } from '../../nodes/recipes/columns'
import { openTable } from '../../nodes/recipes/recipe-book'
import { detectionArgs, recipeOfJob, valuesByNode } from '../../nodes/recipes/recipes'
import { withLanguage } from '../../nodes/shared/node-error'

const recipe = (job: number, name = `product ${job}`) => ({
  ...{ job, name, region: 'bin', gripper: '' },
  values: { 'dev_camera.fps': 5, 'dev_camera.exp_auto': true, 'dev_stereomatching.quality': 'High' },
})
const columns = columnsIn(
  JSON.stringify({
    'dev_camera.fps': { 'en-US': 'Rate', de: 'Bildrate' },
    'dev_stereomatching.quality': 'Quality',
    'dev_camera.exp_auto': 'Automatic',
  }),
)

describe('the table of recipes', () => {
  const table = tableOf([recipe(2), recipe(1)])

  it('is in the order of the jobs, and counts its changes', () => {
    const next = withRecipe(table, recipe(3), undefined)
    next.recipes.map(({ job }) => job).should.deepEqual([1, 2, 3])
    next.revision.should.equal(1)
  })

  it('takes the last change back, and makes it again', () => {
    const next = withoutRecipe(withRecipe(table, recipe(5, 'new'), 2), recipe(1))
    next.recipes.map(({ job }) => job).should.deepEqual([5])
    const back = undone(next) ?? table
    back.recipes.map(({ job }) => job).should.deepEqual([1, 5])
    should(undone(back)?.recipes).deepEqual(next.recipes)
    should(undone(table)).be.undefined()
  })

  it('survives on disk, and leaves nothing else there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cellsight-recipes-'))
    const file = join(folder, 'recipes', 'one.json')
    const damage: unknown[] = []
    const open = () => openTable({ file, onDamage: (error) => damage.push(error) }, table)
    const first = await open()
    should(first.value).equal(table)
    const next = withRecipe(table, recipe(3), undefined)
    await first.set(next)
    should((await open()).value).deepEqual(next)
    readdirSync(join(folder, 'recipes')).should.deepEqual(['one.json', 'one.json.copy'])
    should(tableIn(JSON.parse(readFileSync(file, 'utf8')))).deepEqual(next)

    // As an earlier version has written it.
    writeFileSync(file, `${JSON.stringify(table, undefined, 1)}\n`)
    should((await open()).value).deepEqual(table)
    should(damage).be.empty()
    // The last good copy is used; without one, a person decides.
    writeFileSync(file, '{"revision":1,"recipes":[{}]}')
    should((await open()).value).deepEqual(next)
    should(damage).match([{ code: 'DAMAGED', key: 'storage-copy' }])
    for (const each of [file, `${file}.copy`]) writeFileSync(each, '[')
    await open().should.be.rejectedWith({ code: 'DAMAGED', key: 'storage-refused' })
    readFileSync(file, 'utf8').should.equal('[')
    rmSync(folder, { recursive: true })
  })

  it('is not taken from a file that somebody has damaged', () => {
    for (const bad of [
      ...[null, 1, [], {}, { revision: 1 }, { revision: 0.5, recipes: [] }],
      ...[
        { revision: 1, recipes: [{}] },
        { revision: 1, recipes: [recipe(1), recipe(1)] },
      ],
      { revision: 1, recipes: [], before: { recipes: [], change: { what: 'x', name: '' }, isUndone: true } },
    ])
      should(tableIn(bad)).be.undefined()
    for (const odd of [{ job: 0 }, { job: 1.5 }, { name: '' }, { region: 1 }, { values: { a: null } }])
      should(recipesIn([{ ...recipe(1), ...odd }])).be.undefined()
  })
})

describe('the recipe of a job', () => {
  const table = tableOf([recipe(1), recipe(2)])

  it('has the parameters of each node together, in the order of the columns', () => {
    const found = recipeOfJob(table, columns, 1)
    JSON.stringify(valuesByNode(found, columns)).should.equal(
      '{"dev_camera":{"fps":5,"exp_auto":true},"dev_stereomatching":{"quality":"High"}}',
    )
  })

  it('adds region and gripper to the arguments of the detection', () => {
    const shared = {
      pose_frame: 'camera',
      collision_detection: { pre_grasp_offset: { x: 0, y: 0, z: -0.1 } },
    }
    should(detectionArgs(shared, recipe(1), 'region')).deepEqual({ ...shared, region_of_interest_id: 'bin' })
    should(detectionArgs(shared, { ...recipe(1), region: '', gripper: 'cup' }, 'region2d')).deepEqual({
      ...shared,
      collision_detection: { ...shared.collision_detection, gripper_id: 'cup' },
    })
  })

  it('is refused if there is none, whatever the PLC sends', () => {
    for (const job of [0, 3, 1.5, -1, NaN, '', 'x', true, null, undefined, {}, [1]])
      should(() => recipeOfJob(table, columns, job)).throw({ code: 'NOT_FOUND' })
    recipeOfJob(table, columns, '2').job.should.equal(2)
  })

  it('is refused if a column has no value, which would leave that of the product before', () => {
    const more = columnsIn('{"dev_camera.fps":"Rate","dev_camera.gain_value":"Gain"}')
    should(() => recipeOfJob(table, more, 1)).throw({ code: 'NOT_FOUND', message: /no value for Gain/ })
  })

  it('has headings in the language of the page', () => {
    const headings = (language: string) => withLanguage(language, () => columns.map(labelOf))
    headings('de').should.deepEqual(['Bildrate', 'Quality', 'Automatic'])
    headings('fr').should.deepEqual(['Rate', 'Quality', 'Automatic'])
    should(recipeOf(table, 2)?.name).equal('product 2')
  })
})
