import { z } from 'zod'

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
  scanAndGo: onOff('scanAndGo').meta({
    description:
      'Whether a code that holds the password (`byCode`) lets guests in. Everybody who has it, or a photo of it, is in.',
    example: 'off',
  }),
})
export type AlbumSettings = z.infer<typeof albumSettings>
