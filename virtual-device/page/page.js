// The device's own page: asks at most twice a second, one request at a time, and only while somebody can see it.
const period = 500
const patience = 5000
const byId = (id) => document.getElementById(id)
const picture = byId('picture')
const parts = byId('parts')
const pipelines = byId('pipelines')
const rows = [...document.querySelectorAll('.row')]
let part = 'left'
let pipeline = '0'
let scenario = {}
let hurry = () => undefined

parts.addEventListener('click', ({ target }) => {
  if (!target.value) return
  part = target.value
  for (const button of parts.children) press(button, button.value === part)
  hurry()
})
pipelines.querySelector('select').addEventListener('change', ({ target }) => {
  pipeline = target.value
  hurry()
})
byId('switches').addEventListener('click', ({ target }) => {
  const row = target.closest('button')?.closest('.row')
  if (row) void change([[row.dataset.path, JSON.parse(target.value)]])
})
byId('reset').addEventListener('click', () => {
  void change(rows.map((row) => [row.dataset.path, JSON.parse(row.querySelector('button').value)]))
})
document.addEventListener('visibilitychange', () => hurry())
void follow()

async function follow() {
  for (;;) {
    const started = performance.now()
    if (!document.hidden) await look()
    await new Promise((resolve) => {
      hurry = resolve
      if (!document.hidden) setTimeout(resolve, Math.max(0, period - (performance.now() - started)))
    })
  }
}

async function look() {
  try {
    const now = await (await asked(`now?pipeline=${pipeline}`)).json()
    scenario = now.scenario
    byId('state').textContent = now.state
    byId('state').className = now.ready ? '' : 'waits'
    byId('caption').textContent = now.caption
    offer(now.pipelines)
    showSide(now.side)
    for (const row of rows) mark(row)
    if (now.ready) await showPicture()
    document.body.classList.remove('gone')
  } catch {
    byId('state').textContent = byId('state').dataset.gone
    document.body.classList.add('gone')
    // The pipeline may be gone after a restart.
    pipeline = '0'
  }
}

async function asked(path, options) {
  const answer = await fetch(path, { ...options, signal: AbortSignal.timeout(patience) })
  if (!answer.ok) throw new Error((await answer.json()).return_code?.message ?? answer.statusText)
  return answer
}

async function showPicture() {
  const wanted = part
  const url = URL.createObjectURL(await (await asked(`picture?pipeline=${pipeline}&part=${wanted}`)).blob())
  const before = picture.src
  picture.src = url
  await picture.decode()
  picture.hidden = false
  picture.dataset.part = wanted
  if (before) URL.revokeObjectURL(before)
}

function showSide(svg) {
  if (!svg) return
  const drawn = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
  byId('side').replaceChildren(document.importNode(drawn, true))
}

function offer(names) {
  const select = pipelines.querySelector('select')
  pipelines.hidden = names.length < 2
  if (names.join() === [...select.options].map(({ value }) => value).join()) return
  select.replaceChildren(...names.map((name) => new Option(name, name, false, name === pipeline)))
}

/** Shows which value a row has; a value without a button presses none. */
function mark(row) {
  const buttons = [...row.querySelectorAll('button')]
  const value = row.dataset.path.split('.').reduce((inner, key) => inner?.[key], scenario)
  const shown = value === undefined ? buttons[0].value : JSON.stringify(value)
  for (const button of buttons) press(button, button.value === shown)
  row.classList.toggle('changed', shown !== buttons[0].value)
}

function press(button, isPressed) {
  button.setAttribute('aria-pressed', String(isPressed))
}

/** Writes values by their paths. The device replaces the objects inside `scene` as a whole. */
async function change(values) {
  const body = {}
  for (const [path, value] of values) {
    const [key, ...deeper] = path.split('.')
    if (deeper.length === 0) body[key] = value
    else {
      body[key] ??= structuredClone(scenario[key] ?? {})
      const last = deeper.pop()
      const inner = deeper.reduce((object, name) => (object[name] ??= {}), body[key])
      inner[last] = value
    }
  }
  try {
    await asked('scenario', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    byId('problem').textContent = ''
  } catch (error) {
    byId('problem').textContent = error.message
  }
  hurry()
}
