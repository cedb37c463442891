import { countCall, RATE_LIMITS, tooManyCalls } from '../albums/rate-limits.ts'
import { ZIP_PART_MAX_PHOTOS } from '../contract/limits.ts'
import { zipInput, zipOutput } from '../contract/zips.ts'
import { expiredLink, forgedLink, passwordHasChanged } from '../photos/links.ts'
import { storageFull, storageUnavailable } from '../storage/errors.ts'
import { diskAlmostFull } from '../storage/free-disk.ts'
import { createZip, photosRemoved } from '../zips/create-zip.ts'
import { invalidExample } from './call-docs.ts'
import { procedure, router } from './trpc.ts'

export const zipsRouter = router({
  create: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/zips',
        tags: ['downloads'],
        summary: 'Make zips of photos',
        description: `The addresses of the photos give the right to them. The zips contain what \`downloadUrl\` gives for each photo, with unique names, and the time at which the photo was taken, or else uploaded. A part has at most ${ZIP_PART_MAX_PHOTOS} photos, because its address names them. A call waits up to 20 seconds until the photos are prepared. If \`parts\` is still empty, make the same call again.`,
      },
      docs: {
        caller: 'anyone',
        errors: [
          invalidExample(zipInput, { photos: [] }),
          forgedLink(),
          expiredLink(),
          passwordHasChanged(),
          photosRemoved(),
          tooManyCalls(RATE_LIMITS.zip),
          diskAlmostFull(),
          storageFull(),
          storageUnavailable(),
        ],
      },
    })
    .input(zipInput)
    .output(zipOutput)
    .mutation(async ({ ctx: { services, visitor, origin, hungUp }, input }) => {
      const { address, sessionId } = visitor
      await countCall(services, 'zip', { address, sessionId })
      return await createZip(services, input, { origin, network: address, hungUp: hungUp() })
    }),
})
