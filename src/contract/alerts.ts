import { z } from 'zod'
import { albumNameInput, emailAddress } from './albums/albums.ts'
import { ALERT_CONSENT, ALERT_CONSENT_NEEDED } from './alert-consent.ts'
import { consentVersion } from './consent.ts'
import { ALERT_DAYS } from './limits.ts'
import { letterTokenInput } from './link-tokens.ts'
import { searchTokenInput } from './search-token.ts'

export const addAlertInput = albumNameInput.extend({
  email: emailAddress.meta({
    description: 'The address of the guest. One line. The first letter asks to confirm it.',
    example: 'guest@example.com',
  }),
  searchToken: searchTokenInput.meta({
    description:
      'That of POST /search-in-album, which finds the guest. Photos that were indexed after that search count as new.',
    example: 'AZ4uXb0qVw3kTg…',
  }),
  consent: z
    .literal(true, ALERT_CONSENT_NEEDED)
    .meta({ description: `The guest has agreed to this: "${ALERT_CONSENT.text}"`, example: true }),
  consentVersion: consentVersion(z.number).meta({
    description: `The version of that text. Without it: ${ALERT_CONSENT.version}.`,
    example: ALERT_CONSENT.version,
  }),
})

export const addAlertOutput = z.object({
  confirmBefore: z.iso.datetime().meta({
    description: 'Unless the link of the first letter is used before this time, everything is deleted.',
    example: '2025-08-20T16:30:00.000Z',
  }),
  endsAt: z.iso.datetime().meta({
    description: `When it ends, and everything is deleted: after ${ALERT_DAYS} days.`,
    example: '2025-09-18T16:30:00.000Z',
  }),
  endToken: z.string().meta({
    description: 'Ends it earlier, with POST /alerts/end. Each letter has a link that does the same.',
    example: 'DUx_flihTEubRp09Pz9sHFVq2Zb7yWnT0mQ4xJd8rVk',
  }),
})
export type AddedAlert = z.infer<typeof addAlertOutput>

export const endAlertInput = z.object({
  token: letterTokenInput.shape.token.meta({
    description:
      'The `endToken` of POST /albums/{albumName}/alerts, or what is behind the last `=` of the link in a letter.',
    example: 'DUx_flihTEubRp09Pz9sHFVq2Zb7yWnT0mQ4xJd8rVk',
  }),
})
export const endAlertOutput = z.object({
  hadEnded: z.boolean().meta({ description: 'It had ended before this call.', example: false }),
})

/** What has become of letters that were asked for in a browser. Only the web app asks; it has no REST path. */
export const alertStateOutput = z.object({
  /** 'waiting': the address is not confirmed yet. */
  state: z.enum(['waiting', 'confirmed', 'ended']),
})
export type AlertState = z.infer<typeof alertStateOutput>['state']

/** The answer to the page that the first letter links to. Only the web app makes this call; it has no REST path. */
export const confirmAlertOutput = z.object({
  displayName: z.string(),
  albumName: z.string(),
  endsAt: z.iso.datetime(),
})
export type ConfirmedAlert = z.infer<typeof confirmAlertOutput>
