import { loadModels } from '../faces/embedded/networks/models.ts'
import { createNetworks, type Networks } from '../faces/embedded/networks/networks.ts'
import { loadRuntime } from '../faces/embedded/networks/runtime.ts'

export const loadNetworks = async (): Promise<Networks> =>
  createNetworks((await loadModels(await loadRuntime())).models)

/** The same networks, with counts of how often each of them is used. */
export function countingNetworks(networks: Networks) {
  const counts = { detectFaces: 0, detectSmallFaces: 0, findLandmarks: 0, describeFaces: 0 }
  const counted = new Proxy(networks, {
    get(target, name: keyof Networks) {
      counts[name]++
      return target[name]
    },
  })
  return { networks: counted, counts }
}
