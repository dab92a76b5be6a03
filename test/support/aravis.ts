import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * Runs a shell script in a network of its own, where broadcasts reach nobody else. `$NODE` runs JavaScript. The programs of
 * Aravis (`arv-fake-gv-camera-0.8`, `arv-tool-0.8`), `ip` and `tshark` are installed.
 * All its processes end with it. @returns what it has written
 */
export async function inOwnNetwork(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'unshare',
    ['-rnpf', '--mount-proc', '--kill-child', 'bash', '-euc', script],
    {
      env: { ...process.env, NODE: process.execPath, NODE_OPTIONS: '' },
      timeout: 60_000,
    },
  )
  return stdout
}

/** Shell commands for two computers with a cable between them: `far` runs a command on the second. */
export const twoComputers = (near: string, far: string) => `
  ip link set lo up
  unshare -n sleep 60 & far=$!
  until [ "$(readlink /proc/$far/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do :; done
  far() { nsenter -t $far -n "$@"; }
  ip link add near type veth peer name far netns $far
  ip address add ${near} dev near; ip link set near up
  far ip link set lo up; far ip address add ${far} dev far; far ip link set far up
`
