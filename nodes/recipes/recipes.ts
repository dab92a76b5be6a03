/** The node *recipes*: the products of a cell. In: a product or an edited table. Out: parameters, written and confirmed. */
import { awaitedLater, orUndefined } from '../../lib/kernel/scope'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Node, NodeAPI, NodeDef, NodeMessageInFlow } from 'node-red'
import { recipeOf, type RecipeTable, type Recipe, type RecipeValue } from '../../lib/recipes/recipes'
import { asType, type TypedName } from '../shared/read-fields'
import { isObject } from '../shared/is-object'
import { shown } from '../shared/shown'
import { labelOf, type Column, columnsIn, objectIn, deviceOffer, type DeviceOffer } from './columns'
import { sentencesOf } from '../sentences'
import { VisionError } from '../../lib/client/vision-error'
import { asSentence } from '../shared/sentences'
import { deviceOf } from '../device/device'
import { onInput, type NodeInput } from '../device/on-input'
import { deliver, whenStarted, afterwards } from '../shared/handle-input'
import { checkedFields, numberOf } from '../shared/fields/checked-fields'
import { detailOf, setLanguage, currentLanguage, withLanguage } from '../shared/node-error'
import { NoAnswer, NodeAnswer } from '../shared/outcome'
import { isPermitted } from '../shared/permission'
import { mayOrder } from '../operator/dashboard-pages'
import { changedTable, isOrder, needsDevice, orderIn, type Order } from './orders'
import { recipesNode, type RecipesFields } from './fields'
import type * as Book from './recipe-book'
import { recipePage, type Notice } from './recipe-page'

const { nodeError, summarize } = sentencesOf('recipes')

/** @throws NOT_FOUND without a complete recipe: values of the previous product would stay on the device */
export function recipeOfJob(table: RecipeTable, columns: readonly Column[], value: unknown): Recipe {
  const job = asType('int64', value)
  const recipe = typeof job === 'number' ? recipeOf(table, job) : undefined
  if (!recipe) throw nodeError('NOT_FOUND', 'no-recipe', { job: shown(value) })
  const missing = columns.find(({ key }) => !Object.hasOwn(recipe.values, key))
  if (missing)
    throw nodeError('NOT_FOUND', 'recipe-incomplete', { name: recipe.name, label: labelOf(missing) })
  return recipe
}

/** In the order of the columns. */
export function valuesByNode({ values }: Recipe, columns: readonly Column[]) {
  const byNode: Record<string, Record<string, RecipeValue | undefined>> = {}
  for (const { key, node, parameter } of columns) (byNode[node] ??= {})[parameter] = values[key]
  return byNode
}

export function detectionArgs(
  shared: Readonly<Record<string, unknown>>,
  { region, gripper }: Recipe,
  regions: 'region' | 'region2d',
): Record<string, unknown> {
  const collisions = shared['collision_detection']
  return {
    ...shared,
    ...(region && { [regions === 'region' ? 'region_of_interest_id' : 'region_of_interest_2d_id']: region }),
    ...(gripper && {
      collision_detection: { ...(isObject(collisions) && collisions), gripper_id: gripper },
    }),
  }
}

type Task = NodeInput<TypedName<RecipesFields>>

/** From the node *event*: a page was opened or left. */
const isView = ({ topic }: NodeMessageInFlow) => topic === '$pageview' || topic === '$pageleave'

const [recipeOutput, pageOutput] = [0, 1]

/** With the first node: the storage is larger than everything else here. */
const loadBook = () => createRequire(__filename)('./recipe-book') as typeof Book

export default (RED: NodeAPI) => {
  setLanguage(RED)
  RED.nodes.registerType('vision-recipes', function (this: Node, config: NodeDef & RecipesFields) {
    RED.nodes.createNode(this, config)
    const fields = checkedFields(RED, this, recipesNode, config)
    if (!fields) return
    const language = () => fields.language || currentLanguage()
    const sentence = (error: unknown) =>
      error instanceof VisionError ? error.inLanguage(language()) : detailOf(error)
    const place = join(RED.settings.userDir ?? '.', 'vision-recipes', `${encodeURIComponent(this.id)}.json`)
    let book: Book.RecipeBook | undefined
    let columns: readonly Column[] = []
    let args: Readonly<Record<string, unknown>> = {}
    let offer: DeviceOffer | undefined
    let trouble = ''
    let mayEdit = false
    let called: number | undefined
    let isClosed = false

    /** @throws INVALID_INPUT for unusable settings or file */
    const opening = awaitedLater(
      (async () => {
        columns = columnsIn(fields.columns)
        args = objectIn('args', fields.args)
        book = await loadBook().RecipeBook.open(place, fields.products, (damage) =>
          this.warn(damage.inLanguage(currentLanguage())),
        )
        return book
      })(),
    )

    const page = (notice?: Notice) =>
      withLanguage(language(), () => {
        const table = book?.table
        const count = table?.recipes.length ?? 0
        const payload = recipePage({ table, columns, offer, trouble, called, mayEdit }, notice)
        const state = trouble || notice?.isRefused ? 'warning' : 'done'
        const summary = summarize('result-page', { count }, { value: count, state })
        return new NodeAnswer({ payload }, notice ? { ...summary, text: notice.text } : summary, pageOutput)
      })
    const show = (notice?: Notice) => {
      if (!isClosed) deliver(RED, (msg) => this.send(msg), {}, page(notice), 0)
    }
    const showSoon = afterwards(show)

    const readOffer = async ({ device, signal }: Task): Promise<DeviceOffer> => {
      const pipeline = String(numberOf(recipesNode, fields, 'pipeline'))
      offer = undefined
      try {
        offer = await deviceOffer(device, { columns, pipeline, regions: fields.regions, signal })
        trouble = ''
        return offer
      } catch (error) {
        trouble = sentence(error)
        throw error
      }
    }

    const recipe = async ({ read }: Task) => {
      const { table } = await opening
      const found = recipeOfJob(table, columns, read('job'))
      const { job, name, region, gripper } = found
      if (called !== job) {
        called = job
        // The cell does not wait for a page.
        showSoon()
      }
      const properties = {
        payload: valuesByNode(found, columns),
        args: detectionArgs(args, found, fields.regions),
        recipe: { job, name, region, gripper },
      }
      return new NodeAnswer(
        properties,
        summarize('result-recipe', { name, job }, { value: job }),
        recipeOutput,
      )
    }

    const order = async (topic: Order, task: Task) => {
      const content = orderIn(task.msg.payload)
      const { by } = content
      try {
        const open = await opening
        if (topic === 'refresh') {
          await readOffer(task)
          return page()
        }
        const { table } = open
        const current = needsDevice(topic, table) ? await readOffer(task) : undefined
        const { next, text } = withLanguage(language(), () =>
          changedTable(topic, content, { table, columns, offer: current }),
        )
        await open.take(next)
        return page({ by, text, isRefused: false })
      } catch (error) {
        show({ by, text: sentence(error), isRefused: true })
        throw error
      }
    }

    const begin = onInput(
      RED,
      this,
      recipesNode,
      fields,
      async (task) => {
        const { msg } = task
        if (isOrder(msg.topic)) {
          if (!isPermitted(msg)) throw nodeError('FORBIDDEN', 'order-not-permitted')
          return order(msg.topic, task)
        }
        if (isView(msg)) {
          // A newly opened page shows the current table.
          showSoon()
          return new NoAnswer()
        }
        if (!isPermission(msg)) return recipe(task)
        mayEdit = msg.enabled
        show()
        // Dashboard would hide the table: the message is meant for the buttons.
        return new NoAnswer()
      },
      // A running cell does not wait for a page that queries the device.
      { urgent: ({ topic }) => !isOrder(topic), changes: ({ msg }) => !isView(msg) },
    )

    let leave: (() => void) | undefined
    const cancel = whenStarted(RED, () => {
      const joined = opening.then(
        () => {
          if (isClosed) return
          leave = deviceOf(RED, fields.device)?.join(this, (state) => {
            if (state === 'ready') begin({}, (task) => order('refresh', task))
            else {
              offer = undefined
              showSoon()
            }
          })
        },
        (error: unknown) => {
          trouble = sentence(error)
          this.error(asSentence(error), {})
        },
      )
      joined
        .then(() => {
          // A deploy of this node alone does not restart *operator permission*.
          mayEdit ||= mayOrder(RED, this.id)
          show()
        })
        .catch((error: unknown) => this.error(asSentence(error), {}))
    })
    this.on('close', (done: () => void) => {
      isClosed = true
      cancel()
      leave?.()
      // A failure to open was already reported.
      orUndefined(opening)
        .then((open) => open?.close())
        .then(() => done(), done)
    })
  })
}

/** Second output of *operator permission*. */
const isPermission = (msg: NodeMessageInFlow): msg is NodeMessageInFlow & { enabled: boolean } => {
  const { enabled, visible, payload } = msg as { enabled?: unknown; visible?: unknown; payload?: unknown }
  return typeof enabled === 'boolean' && typeof visible === 'boolean' && payload === undefined
}
