import { ownerPhotos as texts } from '../../../src/texts/english.ts'
import { Card } from '../../ui/card.tsx'
import { OwnerBrowseLink } from './browse-link.tsx'
import type { KeptKey } from './keep-key.ts'
import { UploadHere } from './upload-here.tsx'

export interface OwnerPhotosProps {
  albumName: string
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
          {!isBrowsing && <OwnerBrowseLink albumName={props.albumName} />}
        </UploadHere>
      </div>
    </Card>
  )
}
