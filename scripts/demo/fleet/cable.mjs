import { connect, createServer } from 'node:net'

/** A pluggable connection between a cell and a local port. */
export async function layCable(port) {
  const ends = new Set()
  let isOut = false
  const server = createServer((cell) => {
    if (isOut) {
      cell.destroy()
      return
    }
    const other = connect(port, '127.0.0.1')
    for (const [end, next] of [
      [cell, other],
      [other, cell],
    ]) {
      ends.add(end)
      end.on('error', () => undefined)
      end.on('close', () => {
        ends.delete(end)
        next.destroy()
      })
      end.pipe(next)
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const end of ends) end.destroy()
  }
  return {
    port: server.address().port,
    pull: () => {
      isOut = true
      cut()
    },
    plug: () => {
      isOut = false
    },
    stop: () => {
      cut()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
