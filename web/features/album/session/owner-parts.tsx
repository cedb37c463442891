import type { EnteredAlbum } from '../../../../src/contract/albums.ts'
import { ownerPhotos as texts } from '../../../../src/texts/english/album-owner.ts'
import { Card } from '../../../ui/card.tsx'
import { OwnerBrowseLink } from '../browse/browse-link.tsx'
import { OwnerLetters } from './owner-letters.tsx'
import { OwnerName } from './owner-name.tsx'
import { UploadHere } from './upload-here.tsx'

export interface OwnerPartsProps {
  album: EnteredAlbum
  isEmpty: boolean
  /** All photos are shown above. */
  isBrowsing: boolean
}

/** From here the owner of an album adds photos to it, and changes its name and where its letters go. */
export default function OwnerParts({ album, isEmpty, isBrowsing }: OwnerPartsProps) {
  return (
    <>
      {!isEmpty && (
        <Card aria-labelledby="owner-photos" className="mx-auto mt-10 max-w-read">
          <h2 id="owner-photos" className="text-heading font-semibold">
            {texts.title}
          </h2>
          <div className="mt-1 text-ink-soft">
            <UploadHere album={album} text={texts.text} label={texts.add}>
              {!isBrowsing && <OwnerBrowseLink albumName={album.albumName} />}
            </UploadHere>
          </div>
        </Card>
      )}
      {!isBrowsing && <OwnerName album={album} />}
      <OwnerLetters albumId={album.id} />
    </>
  )
}
