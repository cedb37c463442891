import type { Networks } from '../faces/embedded/networks/networks.ts'

/** Networks that count how often each of them is used. */
export function countingNetworks(networks: Networks): {
  networks: Networks
  counts: Record<keyof Networks, number>
} {
  const counts = { detectFaces: 0, detectSmallFaces: 0, findLandmarks: 0, describeFaces: 0 }
  return {
    counts,
    networks: {
      detectFaces(picture, minScore) {
        counts.detectFaces++
        return networks.detectFaces(picture, minScore)
      },
      detectSmallFaces(picture, minScore) {
        counts.detectSmallFaces++
        return networks.detectSmallFaces(picture, minScore)
      },
      findLandmarks(squares) {
        counts.findLandmarks++
        return networks.findLandmarks(squares)
      },
      describeFaces(squares) {
        counts.describeFaces++
        return networks.describeFaces(squares)
      },
    },
  }
}
