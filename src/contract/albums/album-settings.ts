import { z } from 'zod'
import { FACES_END_DAYS } from '../limits.ts'
import { UUID } from '../uuid.ts'
import { ACCENT_NAMES } from './accents.ts'

const onOff = (setting: string) => z.enum(['off', 'on'], `${setting} must be off or on`)

/** With its offset from UTC when it is sent, and in UTC when it is answered. */
const time = (setting: string) =>
  z.iso
    .datetime({ offset: true, abort: true, error: `${setting} must be a time such as 2026-06-20T18:00:00Z` })
    .overwrite((text) => new Date(text).toISOString())
    // Further away, the date has more digits. Postgres, which compares it, knows no year 0.
    .refine((text) => /^(?!0000)\d{4}-/.test(text), `${setting} is too far away`)
    .nullable()

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
  scanAndGo: onOff('scanAndGo').meta({
    description:
      'Whether a code that holds the password (`byCode`) lets guests in. Everybody who has it, or a photo of it, is in.',
    example: 'off',
  }),
  opensAt: time('opensAt').meta({
    description: 'When guests may come in; at once without a time. Before, they see nothing of the album.',
    example: '2026-06-20T18:00:00.000Z',
  }),
  closesAt: time('closesAt').meta({
    description: 'When guests may no longer come in, which is later than `opensAt`; never without a time.',
    example: '2026-07-20T18:00:00.000Z',
  }),
  facesEndDays: z.literal(FACES_END_DAYS, `facesEndDays must be ${FACES_END_DAYS.join(' or ')}`).meta({
    description:
      'How many days after the last upload the faces of the album are deleted. Then nobody is found any more, and the photos stay. Another upload has all its photos indexed again.',
    example: 180,
  }),
  accent: z.enum(ACCENT_NAMES, `accent must be one of ${ACCENT_NAMES.join(', ')}`).meta({
    description: "The colour of buttons, links and focus on the album's pages.",
    example: 'marigold',
  }),
  coverId: z.string().regex(UUID, 'coverId must be the id of a photo').nullable().meta({
    description:
      'The photo above the name of the album, for guests who have entered, if there is one. Only a photo that guests may see can be chosen.',
    example: null,
  }),
})
export type AlbumSettings = z.infer<typeof albumSettings>

/** The settings of a new album. */
export const FIRST_SETTINGS: AlbumSettings = {
  listed: 'on',
  browsing: 'off',
  consentTick: 'off',
  forChildren: 'off',
  scanAndGo: 'off',
  opensAt: null,
  closesAt: null,
  facesEndDays: 180,
  accent: 'marigold',
  coverId: null,
}
