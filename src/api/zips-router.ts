import { countCall } from '../albums/rate-limits.ts'
import { zipInput, zipOutput } from '../contract/zips.ts'
import { createZip } from '../zips/create-zip.ts'
import { procedure, rest, router } from './trpc.ts'

export const zipsRouter = router({
  create: procedure
    .meta(rest('POST', '/zips', 'Make zips of photos'))
    .input(zipInput)
    .output(zipOutput)
    .mutation(async ({ ctx: { services, visitor, origin, hungUp }, input }) => {
      const { address, sessionId } = visitor
      await countCall(services, 'zip', { address, sessionId })
      return await createZip(services, input, { origin, network: address, hungUp: hungUp() })
    }),
})
