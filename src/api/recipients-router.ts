import { confirmAddress, confirmNewAddress, endOwnerLetters } from '../albums/owner-address.ts'
import { confirmLetterAddressOutput } from '../contract/albums/owner-address.ts'
import { confirmAddressOutput, endLettersOutput, letterTokenInput } from '../contract/link-tokens.ts'
import { procedure, router } from './trpc.ts'

/** What the recipient of a letter does with its links. The token in the link is all that is needed. */
export const lettersRouter = router({
  /** The album was opened through the link of its letter. */
  confirm: procedure
    .input(letterTokenInput)
    .output(confirmAddressOutput)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      await confirmAddress(services, { token: input.token, address: visitor.address })
      return { confirmed: true as const }
    }),

  /** The button of the letter to a new address was pressed. */
  confirmNewAddress: procedure
    .input(letterTokenInput)
    .output(confirmLetterAddressOutput)
    .mutation(({ ctx: { services, visitor }, input: { token } }) =>
      confirmNewAddress(services, { token, address: visitor.address }),
    ),

  /** "This was not me": no more letters from this album. */
  stop: procedure
    .input(letterTokenInput)
    .output(endLettersOutput)
    .mutation(({ ctx: { services, visitor }, input }) =>
      endOwnerLetters(services, { token: input.token, address: visitor.address }),
    ),
})
