import { z } from 'zod'
import { ACCENT_NAMES } from './accents.ts'
import { UUID } from './uuid.ts'

const onOff = (setting: string) => z.enum(['off', 'on'], `${setting} must be off or on`)

/** What an owner may change about an album. */
export const albumSettings = z.object({
  listed: onOff('listed').meta({
    description: 'Whether the public list shows the album, once it has photos.',
    example: 'on',
  }),
  browsing: onOff('browsing').meta({
    description: 'Whether guests may see all photos of the album, without a selfie.',
    example: 'off',
  }),
  consentTick: onOff('consentTick').meta({
    description:
      'Whether a search needs `consent=true`. The web app then shows a box that the guest ticks. Without it, the call itself is the consent.',
    example: 'off',
  }),
  forChildren: onOff('forChildren').meta({
    description:
      'Whether the album is for photos of children. While it is on, `listed` and `browsing` are off and `consentTick` is on, and nobody can change them. The pages speak to parents, and fewer faces are surely found. Turning it off changes none of the three.',
    example: 'off',
  }),
  accent: z.enum(ACCENT_NAMES, `accent must be one of ${ACCENT_NAMES.join(', ')}`).meta({
    description: "The colour of buttons, links and focus on the album's pages.",
    example: 'marigold',
  }),
  coverId: z.string().regex(UUID, 'coverId must be the id of a photo').nullable().meta({
    description:
      'The photo above the name of the album, for guests who have entered; null for none. Only a photo that guests may see can be chosen.',
    example: null,
  }),
})
export type AlbumSettings = z.infer<typeof albumSettings>
