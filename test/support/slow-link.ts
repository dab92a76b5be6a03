import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Two interfaces of this computer, whose packets reach the other one after a delay; where the kernel itself has no `netem`. */
const relay = `
import fcntl, heapq, os, select, struct, sys, time
delay = float(sys.argv[1])
ends = []
for name in sys.argv[2:4]:
    end = os.open('/dev/net/tun', os.O_RDWR)
    # TUNSETIFF: TUN, without packet information.
    fcntl.ioctl(end, 0x400454ca, struct.pack('16sH', name.encode(), 0x1001))
    os.set_blocking(end, False)
    ends.append(end)
print('ready', flush=True)
waiting, count = [], 0
while True:
    within = max(0, waiting[0][0] - time.monotonic()) if waiting else None
    for end in select.select(ends, [], [], within)[0]:
        try:
            packet = os.read(end, 65536)
        except OSError:
            continue
        count += 1
        heapq.heappush(waiting, (time.monotonic() + delay, count, ends[1 - ends.index(end)], packet))
    while waiting and waiting[0][0] <= time.monotonic():
        try:
            os.write(waiting[0][2], waiting[0][3])
        except OSError:
            pass
        heapq.heappop(waiting)
`

export interface SlowLink {
  /** Runs a script of Node.js at an end of the link. */
  run: (end: 'near' | 'far', script: string, given: readonly string[]) => ChildProcess
  /** Addresses of the far end: one that answers, and one that nobody has. */
  answering: string
  silent: string
  remove: () => Promise<void>
}

/** Two network namespaces. @param seconds one way @returns undefined where this computer does not allow that */
export async function slowLink(seconds: number): Promise<SlowLink | undefined> {
  const id = `cs${process.pid}`
  const names = { near: `${id}n`, far: `${id}f` }
  const ip = (...given: string[]) => spawnSync('ip', given).status === 0
  const isMade = Object.values(names).every((name) => ip('netns', 'add', name))
  const child = spawn('python3', ['-c', relay, String(seconds), names.near, names.far], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'close')
  const remove = async () => {
    child.kill()
    await ended.catch(() => undefined)
    for (const name of Object.values(names)) ip('netns', 'del', name)
  }
  const isReady = await Promise.race([
    once(child.stdout, 'data').then(() => true),
    ended.then(
      () => false,
      () => false,
    ),
  ])
  const isUp = (name: string, address: string) =>
    ip('link', 'set', name, 'netns', name) &&
    ip('-n', name, 'address', 'add', `${address}/24`, 'dev', name) &&
    ip('-n', name, 'link', 'set', name, 'up')
  if (!isMade || !isReady || !isUp(names.near, '10.77.0.1') || !isUp(names.far, '10.77.0.2')) {
    await remove()
    return undefined
  }
  return {
    run: (end, script, given) =>
      spawn('ip', ['netns', 'exec', names[end], process.execPath, script, ...given], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      }),
    ...{ answering: '10.77.0.2', silent: '10.77.0.3' },
    remove,
  }
}
