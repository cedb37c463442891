import type { PossiblePhoto } from '../../src/contract/search.ts'

/** A photo that a search has found or asks about, its addresses as of some issue. */
export function photo(name: string, issue = 1): PossiblePhoto {
  const url = `https://inframe.example/photos/${name}/full?e=${issue}`
  const box = { left: 0.1, top: 0.1, width: 0.1, height: 0.1 }
  return {
    ...{ url, thumbUrl: url, previewUrl: url, downloadUrl: url, filename: `${name}.jpg` },
    ...{ width: 40, height: 30, placeholder: '', similarity: 90, face: { id: `face-${name}`, box } },
  }
}
