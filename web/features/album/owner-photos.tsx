import type { EnteredAlbum } from '../../../src/contract/albums.ts'
import { ownerPhotos as texts } from '../../../src/texts/english/album.ts'
import { Card } from '../../ui/card.tsx'
import type { KeptKey } from './keep-key.ts'
import { OwnerBrowseLink } from './owner-browse-link.tsx'
import { UploadHere } from './upload-here.tsx'

export interface OwnerPhotosProps {
  album: EnteredAlbum
  keptKey: KeptKey
  /** All photos are shown above. */
  isBrowsing: boolean
}

/** From here the owner of an album adds photos to it, and sees those that it has. */
export default function OwnerPhotos({ isBrowsing, ...props }: OwnerPhotosProps) {
  return (
    <Card aria-labelledby="owner-photos" className="mx-auto mt-10 max-w-read">
      <h2 id="owner-photos" className="text-heading font-semibold">
        {texts.title}
      </h2>
      <div className="mt-1 text-ink-soft">
        <UploadHere {...props} text={texts.text} label={texts.add}>
          {!isBrowsing && <OwnerBrowseLink albumName={props.album.albumName} />}
        </UploadHere>
      </div>
    </Card>
  )
}
